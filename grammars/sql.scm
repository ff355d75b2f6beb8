; SQL: what a script creates.

(statement (create_table (object_reference name: (_) @name))) @definition.class
(statement (create_view (object_reference name: (_) @name))) @definition.class
(statement (create_materialized_view (object_reference name: (_) @name))) @definition.class
(statement (create_type (object_reference name: (_) @name))) @definition.type
(statement (create_function (object_reference name: (_) @name) (function_arguments) @parameters (function_body) @body)) @definition.function
(statement (create_trigger (keyword_trigger) . (object_reference name: (_) @name))) @definition.function
(statement (create_index column: (identifier) @name)) @definition.constant
(statement (create_schema (identifier) @name)) @definition.block
(statement (create_sequence (object_reference name: (_) @name))) @definition.constant
(column_definition name: (_) @name) @definition.field
[(comment) (marginalia)] @comment
((invocation (object_reference name: (_) @callee)) @call
  (#not-match? @callee "^(?i:abs|avg|cast|coalesce|concat|count|length|lower|max|min|now|nullif|round|sum|trim|upper)$"))
