; Dockerfiles: stages, arguments, what is set and what runs.

(from_instruction as: (image_alias) @name) @definition.section
(arg_instruction name: (_) @name) @definition.constant
(env_instruction (env_pair name: (_) @name)) @definition.constant
(entrypoint_instruction "ENTRYPOINT" @name) @definition.section
(cmd_instruction "CMD" @name) @definition.section
(comment) @comment
(from_instruction (image_spec) @import)
