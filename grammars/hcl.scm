; HCL: blocks by their labels; the first of two labels is the kind of the second.

(block (identifier) (string_lit (template_literal) @owner) (string_lit (template_literal) @name)) @definition.block
(block (identifier) . (string_lit (template_literal) @name) . (block_start)) @definition.block
(config_file (body (block . (identifier) @name . (block_start)) @definition.block))
((block . (identifier) @_locals (body (attribute (identifier) @name) @definition.constant)) (#eq? @_locals "locals"))
(comment) @comment
(function_call (identifier) @callee) @call
((attribute (identifier) @_source (expression (literal_value (string_lit (template_literal) @import))))
  (#eq? @_source "source"))
