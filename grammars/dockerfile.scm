; Dockerfiles: stages, arguments, what is set and what runs.

(from_instruction as: (image_alias) @name) @definition.block
(arg_instruction name: (_) @name) @definition.constant
(env_instruction (env_pair name: (_) @name)) @definition.constant
(entrypoint_instruction "ENTRYPOINT" @name) @definition.block
(cmd_instruction "CMD" @name) @definition.block
(comment) @comment
(from_instruction (image_spec) @import)
