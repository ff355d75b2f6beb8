; What JavaScript, TypeScript and TSX share.

; Definitions. A function or class as the value of a variable, field, property or assignment is a definition of that name.
(class_declaration name: (_) @name body: (_) @body) @definition.class
(function_declaration name: (identifier) @name parameters: (_) @parameters body: (_) @body) @definition.function
(generator_function_declaration name: (identifier) @name parameters: (_) @parameters body: (_) @body) @definition.function
; What a CommonJS module gives away in an object are its own names, though none that its scope knows.
(assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @modifier) right: (object (method_definition name: (_) @name parameters: (_) @parameters body: (_) @body) @definition.function)
  (#eq? @_module "module") (#eq? @modifier "exports"))
(assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @modifier) right: (object (pair key: (property_identifier) @name value: [(arrow_function parameters: (_)? @parameters body: (_) @body) (function_expression parameters: (_) @parameters body: (_) @body)]) @definition.function)
  (#eq? @_module "module") (#eq? @modifier "exports"))
(expression_statement (assignment_expression left: (member_expression object: [(identifier) @modifier (member_expression object: (identifier) property: (property_identifier) @modifier)] property: (property_identifier) @name)
  right: [(arrow_function parameters: (_)? @parameters body: (_) @body) (function_expression parameters: (_) @parameters body: (_) @body)])
  (#eq? @modifier "exports")) @definition.function
; What an object literal holds is no name of the scope around it: a bare call never means it.
(object (method_definition name: (_) @name parameters: (_) @parameters body: (_) @body) @definition.method)
(method_definition name: (_) @name parameters: (_) @parameters body: (_) @body) @definition.function
(lexical_declaration (variable_declarator name: (identifier) @name value: (arrow_function parameters: (_)? @parameters body: (_) @body))) @definition.function
(lexical_declaration (variable_declarator name: (identifier) @name value: [(function_expression parameters: (_) @parameters body: (_) @body) (generator_function parameters: (_) @parameters body: (_) @body)])) @definition.function
(variable_declaration (variable_declarator name: (identifier) @name value: [(arrow_function parameters: (_)? @parameters body: (_) @body) (function_expression parameters: (_) @parameters body: (_) @body)])) @definition.function
(lexical_declaration (variable_declarator name: (identifier) @name value: (class body: (_) @body))) @definition.class
(export_statement "default" @name @modifier value: [(arrow_function parameters: (_)? @parameters body: (_) @body) (function_expression !name parameters: (_) @parameters body: (_) @body)]) @definition.function
(export_statement "default" @name @modifier value: (class !name body: (_) @body)) @definition.class

(expression_statement (assignment_expression left: (member_expression object: [(identifier) (member_expression)] @_owner property: (property_identifier) @name)
  right: [(arrow_function parameters: (_)? @parameters body: (_) @body) (function_expression parameters: (_) @parameters body: (_) @body)])
  (#match? @_owner "^(window|globalThis|global)$")) @definition.function
; What a CommonJS module is: by its own name when it has one, else `exports`.
(expression_statement (assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
  right: [(arrow_function parameters: (_)? @parameters body: (_) @body) (function_expression !name parameters: (_) @parameters body: (_) @body)])
  (#eq? @_module "module") (#eq? @name "exports")) @definition.function
(expression_statement (assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @name) right: (class !name body: (_) @body))
  (#eq? @_module "module") (#eq? @name "exports")) @definition.class
(expression_statement (assignment_expression left: (member_expression) @_exports right: (function_expression name: (identifier) @name parameters: (_) @parameters body: (_) @body))
  (#eq? @_exports "module.exports")) @definition.function
(expression_statement (assignment_expression left: (member_expression) @_exports right: (class name: (_) @name body: (_) @body))
  (#eq? @_exports "module.exports")) @definition.class
(expression_statement (assignment_expression left: (member_expression object: (_) @_exports property: (property_identifier) @name) right: (class body: (_) @body))
  (#any-of? @_exports "exports" "module.exports")) @definition.class
(expression_statement (assignment_expression left: (member_expression object: (this) property: (_) @name)
  right: [(arrow_function parameters: (_)? @parameters body: (_) @body) (function_expression parameters: (_) @parameters body: (_) @body)])) @definition.function
(expression_statement (assignment_expression left: (member_expression object: (member_expression object: (_) @owner property: (property_identifier) @_prototype) property: (property_identifier) @name)
  right: [(arrow_function parameters: (_)? @parameters body: (_) @body) (function_expression parameters: (_) @parameters body: (_) @body)])
  (#eq? @_prototype "prototype")) @definition.function
(expression_statement (assignment_expression left: (member_expression object: [(identifier) (member_expression)] @owner property: (property_identifier) @name)
  right: [(arrow_function parameters: (_)? @parameters body: (_) @body) (function_expression parameters: (_) @parameters body: (_) @body)])
  (#not-match? @owner "^(exports|module\\.exports|module|window|globalThis|global|.*\\.prototype)$")) @definition.function

; Functions in objects that have a name or are what the module gives away; callbacks in arguments stay where they are.
(variable_declarator value: (object (pair key: (property_identifier) @name value: [(arrow_function parameters: (_)? @parameters body: (_) @body) (function_expression parameters: (_) @parameters body: (_) @body)]) @definition.method))
(assignment_expression right: (object (pair key: (property_identifier) @name value: [(arrow_function parameters: (_)? @parameters body: (_) @body) (function_expression parameters: (_) @parameters body: (_) @body)]) @definition.method))
(export_statement value: (object (pair key: (property_identifier) @name value: [(arrow_function parameters: (_)? @parameters body: (_) @body) (function_expression parameters: (_) @parameters body: (_) @body)]) @definition.method))
(pair value: (object (pair key: (property_identifier) @name value: [(arrow_function parameters: (_)? @parameters body: (_) @body) (function_expression parameters: (_) @parameters body: (_) @body)]) @definition.method))

(program (lexical_declaration (variable_declarator name: (identifier) @name)) @definition.constant)
(program (variable_declaration (variable_declarator name: (identifier) @name)) @definition.constant)
(program (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name)) @definition.constant))

; Exported definitions are as wide as the statement.
(export_statement "export" @modifier declaration: (_ name: (_) @name)) @outer
(export_statement "default" @modifier declaration: (_ name: (_) @name))
(export_statement "export" @modifier declaration: (lexical_declaration (variable_declarator name: (identifier) @name))) @outer

(method_definition ["async" "static" "get" "set"] @modifier)
(function_declaration "async" @modifier)
(variable_declarator value: (arrow_function "async" @modifier))

(comment) @comment
(decorator) @attribute

; Parameters.
(arrow_function parameter: (identifier) @parameters @parameter)
(formal_parameters (_) @parameter) @parameters

; Calls. A template tag takes what the template says, so its arguments are not counted.
(call_expression function: (identifier) @callee arguments: (arguments)? @arguments) @call
(call_expression function: (super) @callee arguments: (arguments)? @arguments) @call
(call_expression function: (member_expression object: (_) @receiver property: (_) @callee) arguments: (arguments)? @arguments) @call
(new_expression constructor: (identifier) @callee arguments: (arguments)? @arguments) @call
(new_expression constructor: (member_expression object: (_) @receiver property: (_) @callee) arguments: (arguments)? @arguments) @call
(arguments (spread_element) @argument.spread) @arguments

; Flow.
(for_statement condition: (_) @flow.loop)
(for_statement increment: (_) @flow.loop)
(for_statement body: (_) @flow.loop)
(for_statement initializer: (_)? @order.first condition: (_)? @order.first body: (_) @order.first) @order.scope
(for_in_statement body: (_) @flow.loop)
(while_statement condition: (_) @flow.loop body: (_) @flow.loop)
(do_statement body: (_) @flow.loop condition: (_) @flow.loop)
(if_statement consequence: (_) @flow.branch)
(else_clause) @flow.branch
(ternary_expression consequence: (_) @flow.branch alternative: (_) @flow.branch)
(switch_case) @flow.branch
(switch_default) @flow.branch
(binary_expression operator: ["&&" "||" "??"] right: (_) @flow.branch)

; Errors. Handlers name no type, but what they compare with instanceof is what they handle.
(throw_statement (_) @error.raise)
(try_statement body: (_) @error.scope handler: (catch_clause) @error.handler)
(catch_clause parameter: (identifier) @error.variable) @error.handler
(binary_expression left: (identifier) @error.variable operator: "instanceof" right: (_) @error.catch)
; A type that is handled while the rest is thrown again, and one that alone is thrown again.
(if_statement condition: (parenthesized_expression [(binary_expression left: (identifier) @error.variable operator: "instanceof" right: (_) @error.kept) (binary_expression left: (binary_expression left: (identifier) @error.variable operator: "instanceof" right: (_) @error.kept) operator: "||" right: (binary_expression left: (identifier) operator: "instanceof" right: (_) @error.kept))]) consequence: [(return_statement) (continue_statement) (break_statement) (statement_block [(return_statement) (continue_statement) (break_statement)] .)])
(if_statement condition: (parenthesized_expression [(binary_expression left: (identifier) @error.variable operator: "instanceof" right: (_) @error.kept) (binary_expression left: (binary_expression left: (identifier) @error.variable operator: "instanceof" right: (_) @error.kept) operator: "||" right: (binary_expression left: (identifier) operator: "instanceof" right: (_) @error.kept))]) alternative: (else_clause [(throw_statement (identifier) @_thrown) (statement_block (throw_statement (identifier) @_thrown) .)]) (#eq? @_thrown @error.variable))
(if_statement condition: (parenthesized_expression (binary_expression left: (identifier) @error.variable operator: "instanceof" right: (_) @error.kept)) alternative: (else_clause (if_statement alternative: (else_clause [(throw_statement (identifier) @_thrown) (statement_block (throw_statement (identifier) @_thrown) .)]))) (#eq? @_thrown @error.variable))
(if_statement condition: (parenthesized_expression (unary_expression operator: "!" argument: (parenthesized_expression [(binary_expression left: (identifier) @error.variable operator: "instanceof" right: (_) @error.kept) (binary_expression left: (binary_expression left: (identifier) @error.variable operator: "instanceof" right: (_) @error.kept) operator: "||" right: (binary_expression left: (identifier) operator: "instanceof" right: (_) @error.kept))]))) consequence: [(throw_statement (identifier) @_thrown) (statement_block (throw_statement (identifier) @_thrown) .)] (#eq? @_thrown @error.variable))
(if_statement condition: (parenthesized_expression [(binary_expression left: (identifier) @error.variable operator: "instanceof" right: (_) @error.passes) (binary_expression left: (binary_expression left: (identifier) @error.variable operator: "instanceof" right: (_) @error.passes) operator: "||" right: (binary_expression left: (identifier) operator: "instanceof" right: (_) @error.passes))]) consequence: [(throw_statement (identifier) @_thrown @error.pass) (statement_block (throw_statement (identifier) @_thrown @error.pass) .)] (#eq? @_thrown @error.variable))
(call_expression function: (member_expression object: (identifier) @_promise property: (property_identifier) @_reject) arguments: (arguments . (_) @error.raise)
  (#eq? @_promise "Promise") (#eq? @_reject "reject"))
(call_expression function: (identifier) @_reject arguments: (arguments . (_) @error.raise) (#eq? @_reject "reject"))
(call_expression function: (member_expression object: (_) @error.scope property: (property_identifier) @_catch) arguments: (arguments . (_) @error.handler)
  (#eq? @_catch "catch"))
(call_expression function: (member_expression property: (property_identifier) @_catch) arguments: (arguments . (arrow_function parameter: (identifier) @error.variable) @error.handler)
  (#eq? @_catch "catch"))
(call_expression function: (member_expression object: (identifier) @_process property: (property_identifier) @_exit) @_f
  (#eq? @_process "process") (#any-of? @_exit "exit" "abort")) @error.panic

; Imports and exports. A default import is the name "default" of its module, a namespace import is "*".
(import_statement (import_clause (identifier) @import.alias) source: (string) @import (#set! name "default"))
(import_statement (import_clause (named_imports (import_specifier name: (_) @import.name alias: (_)? @import.alias))) source: (string) @import)
(import_statement (import_clause (namespace_import "*" @import.name (identifier) @import.alias)) source: (string) @import)
(import_statement . (string) @import)
(variable_declarator name: (identifier) @import.alias value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import)) (#eq? @_require "require"))
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @import.name) value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import)) (#eq? @_require "require"))
(variable_declarator name: (object_pattern (pair_pattern key: (_) @import.name value: (identifier) @import.alias)) value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import)) (#eq? @_require "require"))
(call_expression function: (import) arguments: (arguments . (string) @import))
(export_statement (export_clause (export_specifier name: (_) @export @import.name alias: (_)? @import.alias)) source: (string) @import)
(export_statement "*" @import.name source: (string) @import)
(export_statement (namespace_export "*" @import.name (identifier) @import.alias) source: (string) @import)
(export_statement (export_clause (export_specifier name: (_) @export alias: (_)? @import.alias)) !source)
(export_statement "default" value: (identifier) @export (#set! alias "default"))
(expression_statement (assignment_expression left: (member_expression) @_exports right: (identifier) @export) (#set! alias "default") (#eq? @_exports "module.exports"))
(expression_statement (assignment_expression left: (member_expression) @_exports right: [(function_expression name: (identifier) @export) (class name: (_) @export)]) (#set! alias "default") (#eq? @_exports "module.exports"))
(expression_statement (assignment_expression left: (member_expression) @_exports right: (object (shorthand_property_identifier) @export)) (#eq? @_exports "module.exports"))
(expression_statement (assignment_expression left: (member_expression) @_exports right: (object (pair key: (property_identifier) @import.alias value: (identifier) @export))) (#eq? @_exports "module.exports"))
(expression_statement (assignment_expression left: (member_expression object: [(identifier) (member_expression)] @_exports property: (property_identifier) @import.alias) right: (identifier) @export) (#any-of? @_exports "exports" "module.exports"))
(expression_statement (assignment_expression left: (member_expression) @_exports right: (call_expression function: (identifier) @_require arguments: (arguments . (string) @import))) (#set! name "*") (#eq? @_exports "module.exports") (#eq? @_require "require"))
(expression_statement (assignment_expression left: (member_expression) @_exports right: (new_expression constructor: (identifier) @export)) (#set! alias "default") (#eq? @_exports "module.exports"))

; Types of variables.
(variable_declarator name: (identifier) @binding value: (new_expression constructor: (_) @binding.value))
(variable_declarator name: (array_pattern . (identifier) @binding) value: [(identifier) (member_expression) (call_expression)] @binding.element)
(variable_declarator name: (identifier) @binding value: (call_expression function: [(identifier) (member_expression)] @binding.value) (#not-eq? @binding.value "require"))
(variable_declarator name: (identifier) @binding value: (await_expression (call_expression function: [(identifier) (member_expression)] @binding.value)))
(assignment_expression left: [(identifier) (member_expression)] @binding right: (new_expression constructor: (_) @binding.value))
(variable_declarator name: (identifier) @binding value: [(identifier) (this) (member_expression) (subscript_expression)] @binding.from)
(variable_declarator name: (identifier) @binding value: (binary_expression operator: ["??" "||"] right: [(identifier) (this) (member_expression) (new_expression)]) @binding.from)
(variable_declarator name: (identifier) @binding value: (binary_expression operator: ["??" "||"] right: (call_expression function: [(identifier) (member_expression)] @binding.value)))
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @binding) value: [(identifier) (this) (member_expression)] @binding.member)
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @binding) value: [(call_expression function: [(identifier) (member_expression)] @_called) (await_expression (call_expression function: [(identifier) (member_expression)] @_called))] @binding.member (#not-eq? @_called "require"))
(for_in_statement left: (identifier) @binding operator: "of" right: [(identifier) (member_expression) (call_expression)] @binding.element)
(call_expression function: (member_expression object: (_) @binding.element property: (property_identifier) @_each) arguments: (arguments . (arrow_function parameter: (identifier) @binding))
  (#any-of? @_each "forEach" "map" "filter" "find" "findIndex" "findLast" "some" "every" "flatMap"))
