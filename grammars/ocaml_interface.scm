; OCaml, interfaces and, by inheritance, files. Modules qualify; a binding is a function when it takes parameters or is one.

(module_definition (module_binding (module_name) @name body: [(structure) (functor)])) @scope.module
(module_definition (module_binding (module_name) @name (module_parameter) body: (_))) @scope.module
(module_definition (module_binding (module_name) @name module_type: (signature))) @scope.module

; definitions: types
(module_type_definition (module_type_name) @name body: (_)? @body) @definition.interface
(exception_definition (constructor_declaration (constructor_name) @name)) @definition.class
(type_definition (type_binding name: (type_constructor) @name)) @definition.type
(class_definition (class_binding (class_name) @name body: (_)? @body)) @definition.class
(class_type_definition (class_type_binding (class_type_name) @name)) @definition.interface
(variant_declaration (constructor_declaration (constructor_name) @name) @definition.constant)
(field_declaration (field_name) @name) @definition.field

; definitions: functions and values
(let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] (parameter) type: (_)? @result body: (_) @body) @definition.function
(let_binding pattern: (value_name) @name body: [(fun_expression) (function_expression)] @body) @definition.function
(structure (value_definition (let_binding pattern: (value_name) @name) @definition.constant))
(value_specification [(value_name) @name (parenthesized_operator (_) @name)] type: (_) @result) @definition.function
(external (value_name) @name type: (_) @result) @definition.function
(method_definition (method_name) @name body: (_)? @body) @definition.function
(method_specification (method_name) @name) @definition.function
(instance_variable_definition (instance_variable_name) @name) @definition.field

; supertypes
(inheritance_definition class: [(class_path) @extends (class_application class: (class_path) @extends)])

; comments
(comment) @comment

; parameters: the binding itself is their list
(let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] (parameter) @parameter) @parameters
(method_definition (method_name) @name (parameter) @parameter) @parameters
(let_binding (parameter default: (_)) @parameter.optional) @parameters

; calls: by name, of a method, by pipe, constructors of classes
((application_expression function: (value_path) @callee) @call
  (#not-match? @callee "^(raise|raise_notrace|failwith|invalid_arg|ref|not|fst|snd|ignore|exit)$"))
(method_invocation object: (_) @receiver method: (method_name) @callee) @call
(new_expression (class_path) @callee) @call
((infix_expression operator: (_) @_pipe right: (value_path) @callee @call) (#any-of? @_pipe "|>" ">>="))
((infix_expression left: (value_path) @callee operator: (_) @_apply) @call (#eq? @_apply "@@"))

; flow
(for_expression (do_clause) @flow.loop)
(while_expression condition: (_) @flow.loop)
(while_expression (do_clause) @flow.loop)
((application_expression
  function: (value_path (value_name) @_each)
  argument: (parenthesized_expression expression: (fun_expression) @flow.loop))
  (#match? @_each "^(iter|map|filter|fold|exists|for_all|find|concat_map|partition)"))
(then_clause) @flow.branch
(else_clause) @flow.branch
(match_expression (match_case) @flow.branch)
(function_expression (match_case) @flow.branch)
(infix_expression operator: [(and_operator) (or_operator)] right: (_) @flow.branch)

; errors: the result type
((let_binding type: (constructed_type (_) . (_) @error.return . (type_constructor_path) @_result)) (#eq? @_result "result"))
((let_binding type: (constructed_type (type_constructor_path) @error.return .)) (#eq? @error.return "option"))
((value_specification
  type: [
    (constructed_type (_) . (_) @error.return . (type_constructor_path) @_result)
    (function_type codomain: (constructed_type (_) . (_) @error.return . (type_constructor_path) @_result))
    (function_type codomain: (function_type codomain: (constructed_type (_) . (_) @error.return . (type_constructor_path) @_result)))
    (function_type codomain: (function_type codomain: (function_type codomain: (constructed_type (_) . (_) @error.return . (type_constructor_path) @_result))))
    (function_type codomain: (function_type codomain: (function_type codomain: (function_type codomain: (constructed_type (_) . (_) @error.return . (type_constructor_path) @_result)))))
    (function_type codomain: (function_type codomain: (function_type codomain: (function_type codomain: (function_type codomain: (constructed_type (_) . (_) @error.return . (type_constructor_path) @_result))))))
    (function_type codomain: (function_type codomain: (function_type codomain: (function_type codomain: (function_type codomain: (function_type codomain: (constructed_type (_) . (_) @error.return . (type_constructor_path) @_result)))))))
  ])
  (#eq? @_result "result"))
((value_specification
  type: [
    (constructed_type (type_constructor_path) @error.return .)
    (function_type codomain: (constructed_type (type_constructor_path) @error.return .))
    (function_type codomain: (function_type codomain: (constructed_type (type_constructor_path) @error.return .)))
    (function_type codomain: (function_type codomain: (function_type codomain: (constructed_type (type_constructor_path) @error.return .))))
    (function_type codomain: (function_type codomain: (function_type codomain: (function_type codomain: (constructed_type (type_constructor_path) @error.return .)))))
    (function_type codomain: (function_type codomain: (function_type codomain: (function_type codomain: (function_type codomain: (constructed_type (type_constructor_path) @error.return .))))))
    (function_type codomain: (function_type codomain: (function_type codomain: (function_type codomain: (function_type codomain: (function_type codomain: (constructed_type (type_constructor_path) @error.return .)))))))
  ])
  (#eq? @error.return "option"))

; errors: raised or made
((application_expression function: (value_path) @_raise argument: [
  (constructor_path) @error.raise
  (value_path) @error.raise
  (parenthesized_expression expression: (constructor_path) @error.raise)
  (parenthesized_expression expression: (application_expression function: (constructor_path) @error.raise))])
  (#any-of? @_raise "raise" "raise_notrace" "Stdlib.raise"))
((application_expression function: (value_path) @error.raise) (#any-of? @error.raise "failwith" "invalid_arg"))
((application_expression function: (constructor_path) @_error argument: [
  (constructor_path) @error.raise
  (parenthesized_expression expression: (constructor_path) @error.raise)
  (parenthesized_expression expression: (application_expression function: (constructor_path) @error.raise))])
  (#eq? @_error "Error"))
((application_expression function: (constructor_path) @_error argument: (value_path) @error.propagate)
  (#eq? @_error "Error"))
((application_expression function: (value_path) @error.panic) (#eq? @error.panic "exit"))
(assert_expression "assert" @error.panic)

; errors: caught
(try_expression expression: (_) @error.scope (match_case) @error.handler)
(try_expression (match_case pattern: [
  (constructor_path) @error.catch
  (constructor_pattern (constructor_path) @error.catch)
  (alias_pattern pattern: (constructor_path) @error.catch alias: (value_pattern) @error.variable)
  (alias_pattern pattern: (constructor_pattern (constructor_path) @error.catch) alias: (value_pattern) @error.variable)
  (or_pattern (constructor_path) @error.catch)
  (or_pattern (constructor_pattern (constructor_path) @error.catch))
  (value_pattern) @error.variable]) @error.handler)
(match_expression
  expression: (_) @error.scope
  (match_case pattern: (exception_pattern pattern: [
    (constructor_path) @error.catch
    (constructor_pattern (constructor_path) @error.catch)])) @error.handler)

; imports
((open_module module: (module_path) @import) (#set! name "*"))
((open_module_signature module: (_) @import) (#set! name "*"))
(include_module module: (module_path) @import)
(module_definition (module_binding (module_name) @import.alias body: (module_path) @import))

; bindings
(parameter pattern: (typed_pattern pattern: (value_pattern) @binding type: (_) @binding.type))
(let_binding . pattern: (value_name) @binding . type: (_) @binding.type)
(let_binding
  . pattern: (value_name) @binding
  . body: (application_expression function: [(value_path) @binding.value (new_expression (class_path) @binding.type)]))
