; Lua. Tables are modules and classes: `M.f` and `M:f` name their owner; functions are assigned values.

; definitions: functions
(function_declaration
  name: (identifier) @name
  parameters: (parameters) @parameters
  body: (_)? @body) @definition.function
(function_declaration
  name: [
    (dot_index_expression table: (_) @owner field: (identifier) @name)
    (method_index_expression table: (_) @owner method: (identifier) @name)]
  parameters: (parameters) @parameters
  body: (_)? @body) @definition.function
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @owner field: (identifier) @name))
  (expression_list . value: (function_definition parameters: (parameters) @parameters body: (_)? @body))) @definition.function
(variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition parameters: (parameters) @parameters body: (_)? @body)))) @definition.function
(assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition parameters: (parameters) @parameters body: (_)? @body))) @definition.function
(assignment_statement
  (variable_list . name: (bracket_index_expression table: (_) @owner field: (string content: (_) @name)))
  (expression_list . value: (function_definition parameters: (parameters) @parameters body: (_)? @body))) @definition.function
; one that has a default or a condition before it, or comes back from a wrapper
(assignment_statement
  (variable_list . name: [(identifier) @name (dot_index_expression table: (_) @owner field: (identifier) @name)])
  (expression_list . value: (binary_expression
    ["and" "or"] right: (function_definition parameters: (parameters) @parameters body: (_)? @body)))) @definition.function
(assignment_statement
  (variable_list . name: [(identifier) @name (dot_index_expression table: (_) @owner field: (identifier) @name)])
  (expression_list . value: (binary_expression
    left: (binary_expression
      "and" right: (function_definition parameters: (parameters) @parameters body: (_)? @body)) "or"))) @definition.function
((assignment_statement
  (variable_list . name: [(identifier) @name (dot_index_expression table: (_) @owner field: (identifier) @name)])
  (expression_list . value: (function_call
    name: (_) @_wrapper
    arguments: (arguments (function_definition parameters: (parameters) @parameters body: (_)? @body) .)))) @definition.function
  (#match? @_wrapper "(wrap|throttle|debounce|memoize|once|cached?)\\w*$"))
(field
  name: [(identifier) @name (string content: (_) @name)]
  value: (function_definition parameters: (parameters) @parameters body: (_)? @body)) @definition.function

; what its own file alone sees
(function_declaration "local" @modifier name: (identifier) @name)
(variable_declaration "local" @modifier (assignment_statement (variable_list . name: (identifier) @name)))
; what a constructor gives: the table that it gives a metatable
((function_declaration
  name: [(identifier) @name (dot_index_expression field: (identifier) @name) (method_index_expression method: (identifier) @name)]
  body: (block (return_statement (expression_list . (function_call
    name: (identifier) @_make arguments: (arguments (_) . (identifier) @result .)) .)) .))
  (#eq? @_make "setmetatable"))
((function_declaration
  name: [(identifier) @name (dot_index_expression field: (identifier) @name) (method_index_expression method: (identifier) @name)]
  body: (block
    (variable_declaration (assignment_statement
      (variable_list . name: (identifier) @_self .)
      (expression_list . value: (function_call name: (identifier) @_make arguments: (arguments (_) . (identifier) @result .)))))
    (return_statement (expression_list . (identifier) @_given .)) .))
  (#eq? @_make "setmetatable") (#eq? @_given @_self))

; definitions: tables that start empty or get a metatable are classes or modules
((chunk (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (table_constructor) @_table .))) @definition.class)
  (#match? @_table "^\\{\\s*\\}$"))
((chunk (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_call name: (identifier) @_make)))) @definition.class)
  (#any-of? @_make "setmetatable" "class" "Class"))

; definitions: constants of the file and of its tables
(chunk (variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: [(number) (string) (table_constructor) (true) (false)]))) @definition.constant)
(chunk (assignment_statement
  (variable_list . name: (identifier) @name)) @definition.constant)
(chunk (assignment_statement
  (variable_list . name: (dot_index_expression table: (identifier) @owner field: (identifier) @name))) @definition.field)

; comments
(comment) @comment

; parameters: any of them may be left out
(parameters (identifier) @parameter.optional) @parameters
(parameters (vararg_expression) @parameter.variadic) @parameters

; calls; a function that is handed to `pcall` is called by it
((function_call name: (identifier) @callee arguments: (arguments) @arguments) @call
  (#not-match? @callee "^(assert|error|getmetatable|ipairs|next|pairs|pcall|print|rawequal|rawget|rawset|require|select|setmetatable|tonumber|tostring|type|unpack|xpcall)$"))
(function_call
  name: (dot_index_expression table: (_) @receiver field: (identifier) @callee)
  arguments: (arguments) @arguments) @call
(function_call
  name: (method_index_expression table: (_) @receiver method: (identifier) @callee)
  arguments: (arguments) @arguments) @call
((function_call name: (identifier) @_pcall arguments: (arguments . (identifier) @callee @call))
  (#any-of? @_pcall "pcall" "xpcall"))
(arguments (vararg_expression) @argument.spread) @arguments

; flow
(for_statement body: (_) @flow.loop)
(while_statement condition: (_) @flow.loop)
(while_statement body: (_) @flow.loop)
(repeat_statement body: (_) @flow.loop)
(repeat_statement condition: (_) @flow.loop)
(if_statement consequence: (_) @flow.branch)
(if_statement alternative: (_) @flow.branch)
(binary_expression ["and" "or"] right: (_) @flow.branch)

; errors
((function_call name: (identifier) @_error arguments: (arguments . (_) @error.raise)) (#eq? @_error "error"))
((function_call name: (identifier) @error.raise) (#eq? @error.raise "assert"))
(return_statement (expression_list . (nil) @error.return . [(string) (binary_expression) (function_call)]))
((return_statement (expression_list . (nil) . (identifier) @error.propagate))
  (#match? @error.propagate "^(e|err|error|cause|msg|message)$"))
((function_call name: (identifier) @error.handler arguments: (arguments) @error.scope)
  (#any-of? @error.handler "pcall" "xpcall"))
((function_call name: (dot_index_expression table: (_) @_os field: (_) @_exit) @error.panic)
  (#eq? @_os "os") (#eq? @_exit "exit"))

; imports
((assignment_statement
  (variable_list . name: (identifier) @import.alias)
  (expression_list . value: (function_call
    name: (identifier) @_require
    arguments: (arguments (string content: (_) @import)))))
  (#eq? @_require "require"))
((function_call name: (identifier) @_require arguments: (arguments (string content: (_) @import)))
  (#any-of? @_require "require" "dofile" "loadfile"))

((assignment_statement
  (variable_list . name: (identifier) @import.alias)
  (expression_list . value: (dot_index_expression
    table: (function_call name: (identifier) @_require arguments: (arguments (string content: (_) @import)))
    field: (identifier) @import.name)))
  (#eq? @_require "require"))
; what the file gives to those that require it
(chunk (return_statement (expression_list . (identifier) @export .)) (#set! alias "default"))
((chunk (return_statement (expression_list . (function_call name: (identifier) @_make arguments: (arguments . (identifier) @export)) .)))
  (#set! alias "default") (#eq? @_make "setmetatable"))
(chunk (return_statement (expression_list . (table_constructor (field name: (identifier) @import.alias value: (identifier) @export)) .)))

; bindings; of most variables only the name is known, which hides what bears it elsewhere
(variable_declaration (assignment_statement
  (variable_list . name: (identifier) @binding)
  (expression_list . value: [(identifier) (dot_index_expression) (bracket_index_expression) (binary_expression) (unary_expression) (vararg_expression) (parenthesized_expression) (nil)])))
(variable_declaration (assignment_statement (variable_list (_) . name: (identifier) @binding)))
(variable_declaration (variable_list name: (identifier) @binding))
(for_generic_clause (variable_list name: (identifier) @binding))
((assignment_statement
  (variable_list . name: (_) @binding)
  (expression_list . value: (function_call
    name: [(identifier) (dot_index_expression) (method_index_expression)] @binding.value)))
  (#not-match? @binding.value "^(require|setmetatable)$"))
((assignment_statement
  (variable_list . name: (_) @binding)
  (expression_list . value: (function_call name: (identifier) @_make arguments: (arguments (_) . (identifier) @binding.type .))))
  (#eq? @_make "setmetatable"))
