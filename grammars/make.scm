; Makefiles: targets call what they depend on.

((rule (targets (word) @name) (recipe)? @body) @definition.function (#not-match? @name "^\\."))
(variable_assignment name: (word) @name) @definition.constant
(define_directive name: (word) @name) @definition.macro
(comment) @comment
((rule (targets (word) @_target) normal: (prerequisites (word) @callee @call)) (#not-match? @_target "^\\."))
(include_directive filenames: (list (word) @import))
