; C#. Namespaces, with and without braces, are the file's package.

[(file_scoped_namespace_declaration name: (_) @package) (namespace_declaration name: (_) @package)]

; definitions: types
(class_declaration name: (identifier) @name) @definition.class
(struct_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name (parameter_list)? @parameters) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(delegate_declaration
  type: (_) @result
  name: (identifier) @name
  parameters: (parameter_list) @parameters) @definition.type

; definitions: functions
(method_declaration
  returns: (_) @result
  name: (identifier) @name
  parameters: (parameter_list) @parameters) @definition.function
(constructor_declaration
  name: (identifier) @name
  parameters: (parameter_list) @parameters) @definition.function
(destructor_declaration
  "~" @name
  parameters: (parameter_list) @parameters) @definition.function
(operator_declaration
  type: (_) @result
  operator: _ @name
  parameters: (parameter_list) @parameters) @definition.function
(conversion_operator_declaration
  "operator" @name
  type: (_) @result
  parameters: (parameter_list) @parameters) @definition.function
(indexer_declaration
  type: (_) @result
  "this" @name
  parameters: (bracketed_parameter_list) @parameters
  [accessors: (_) @body value: (_) @body]) @definition.function
(local_function_statement
  type: (_) @result
  name: (identifier) @name
  parameters: (parameter_list) @parameters) @definition.function
(local_declaration_statement (variable_declaration (variable_declarator
  name: (identifier) @name
  (lambda_expression parameters: (parameter_list)? @parameters body: (_) @body)))) @definition.function

; definitions: what types show of their state
(property_declaration
  type: (_) @result
  name: (identifier) @name
  [accessors: (_) @body value: (_) @body]) @definition.field
(event_declaration type: (_) @result name: (identifier) @name accessors: (_) @body) @definition.field
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.field
((field_declaration
  (modifier) @_const
  (variable_declaration (variable_declarator name: (identifier) @name))) @definition.constant
  (#eq? @_const "const"))
((field_declaration
  (modifier) @_static (modifier) @_readonly
  (variable_declaration (variable_declarator name: (identifier) @name))) @definition.constant
  (#any-of? @_static "static" "readonly") (#any-of? @_readonly "static" "readonly"))
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.field
(record_declaration (parameter_list (parameter type: (_) @result name: (identifier) @name) @definition.field))
(enum_member_declaration name: (identifier) @name) @definition.constant

; supertypes
(base_list [
  (identifier) @extends
  (qualified_name) @extends
  (generic_name . (identifier) @extends)
  (primary_constructor_base_type type: (_) @extends)])

; comments and attributes
(comment) @comment
(attribute_list) @attribute

; words that matter to callers
(declaration_list (_ (modifier) @modifier))
(compilation_unit (_ (modifier) @modifier))
(local_function_statement (modifier) @modifier)

; parameters
(parameter_list (parameter) @parameter) @parameters
(parameter_list (parameter "=") @parameter.optional) @parameters
(parameter_list type: (_) @parameter @parameter.variadic) @parameters

; calls: plain, generic, on something, on something that may be null, constructors
((invocation_expression
  function: [(identifier) @callee (generic_name . (identifier) @callee)]
  arguments: (argument_list) @arguments) @call
  (#not-match? @callee "^(nameof|typeof|sizeof|default)$"))
(invocation_expression
  function: (member_access_expression
    expression: _ @receiver
    name: [(identifier) @callee (generic_name . (identifier) @callee)])
  arguments: (argument_list) @arguments) @call
(invocation_expression
  function: (conditional_access_expression
    condition: (_) @receiver
    (member_binding_expression name: [(identifier) @callee (generic_name . (identifier) @callee)]))
  arguments: (argument_list) @arguments) @call
(object_creation_expression
  type: [(identifier) @callee (qualified_name) @callee (generic_name . (identifier) @callee)]
  arguments: (argument_list)? @arguments) @call
(variable_declaration
  type: [(identifier) @callee (generic_name . (identifier) @callee)]
  (variable_declarator (implicit_object_creation_expression (argument_list) @arguments) @call))
(property_declaration
  type: (_) @callee
  value: (arrow_expression_clause (implicit_object_creation_expression (argument_list) @arguments) @call))
(property_declaration
  type: (_) @callee
  accessors: (accessor_list (accessor_declaration
    body: (block (return_statement (implicit_object_creation_expression (argument_list) @arguments) @call)))))
(method_declaration
  returns: (_) @callee
  body: [
    (arrow_expression_clause (implicit_object_creation_expression (argument_list) @arguments) @call)
    (block (return_statement (implicit_object_creation_expression (argument_list) @arguments) @call))
    (block (if_statement (return_statement (implicit_object_creation_expression (argument_list) @arguments) @call)))
    (block (if_statement (block (return_statement (implicit_object_creation_expression (argument_list) @arguments) @call))))])
(constructor_initializer ["base" "this"] @callee (argument_list) @arguments) @call

; flow
(for_statement condition: (_) @flow.loop)
(for_statement update: (_) @flow.loop)
(for_statement body: (_) @flow.loop)
(foreach_statement body: (_) @flow.loop)
(while_statement condition: (_) @flow.loop)
(while_statement body: (_) @flow.loop)
(do_statement body: (_) @flow.loop)
(do_statement condition: (_) @flow.loop)
(if_statement consequence: (_) @flow.branch)
(if_statement alternative: (_) @flow.branch)
(switch_section) @flow.branch
(switch_expression_arm) @flow.branch
(binary_expression operator: ["&&" "||" "??"] right: (_) @flow.branch)
(for_statement
  initializer: (_)? @order.first
  condition: (_)? @order.first
  update: (_)
  body: (_) @order.first) @order.scope
(conditional_expression consequence: (_) @flow.branch)
(conditional_expression alternative: (_) @flow.branch)

; errors: thrown
; (a call tells no type: only the word is kept)
(throw_statement [(object_creation_expression) (identifier) (member_access_expression)] @error.raise)
(throw_expression [(object_creation_expression) (identifier) (member_access_expression)] @error.raise)
(throw_statement "throw" @error.raise (invocation_expression))
(throw_expression "throw" @error.raise (invocation_expression))
((throw_statement) @error.propagate (#match? @error.propagate "^throw\\s*;"))
; the guard helpers of the base library: `ArgumentNullException.ThrowIfNull(x)`
((invocation_expression function: (member_access_expression
  expression: (identifier) @error.raise
  name: (identifier) @_throw))
  (#match? @error.raise "Exception$") (#match? @_throw "^Throw"))

; errors: caught
(try_statement
  body: (_) @error.scope
  (catch_clause (catch_declaration type: (_) @error.catch !name)) @error.handler)
(try_statement
  body: (_) @error.scope
  (catch_clause (catch_declaration type: (_) @error.catch name: (identifier) @error.variable)) @error.handler)
(try_statement
  body: (_) @error.scope
  (catch_clause . "catch" . (block)) @error.handler)
; a filter lets out what it refuses
(catch_clause (catch_filter_clause) @error.filter) @error.handler
(catch_clause (catch_declaration name: (identifier) @_name) (catch_filter_clause (is_pattern_expression expression: (identifier) @error.variable pattern: (constant_pattern (_) @error.kept))) (#eq? @_name @error.variable))
; a type that is handled while the rest is thrown again, and one that alone is thrown again
(if_statement condition: (is_pattern_expression expression: (identifier) @error.variable pattern: (constant_pattern (_) @error.kept)) consequence: [(return_statement) (continue_statement) (block [(return_statement) (continue_statement)] .)])
(if_statement condition: [(prefix_unary_expression (parenthesized_expression (is_pattern_expression expression: (identifier) @error.variable pattern: (constant_pattern (_) @error.kept)))) (is_pattern_expression expression: (identifier) @error.variable pattern: (negated_pattern (constant_pattern (_) @error.kept)))] consequence: [(throw_statement) @_thrown (block (throw_statement) @_thrown .)] (#match? @_thrown "^throw *(\\w+ *)?;$"))
(if_statement condition: (is_pattern_expression expression: (identifier) @error.variable pattern: (constant_pattern (_) @error.passes)) consequence: [(throw_statement) @_thrown @error.pass (block (throw_statement) @_thrown @error.pass .)] (#match? @_thrown "^throw *(\\w+ *)?;$"))

; what a test expects to be thrown
(invocation_expression
  function: (member_access_expression name: (generic_name (identifier) @_expects (type_argument_list (_) @error.catch)) @error.handler)
  arguments: (argument_list . (argument (lambda_expression body: (_) @error.scope)))
  (#match? @_expects "^Throws(Async|Any|AnyAsync|Exactly|ExactlyAsync)?$"))

; errors: the program ends
((invocation_expression function: (member_access_expression
  expression: (identifier) @_environment
  name: (identifier) @_end) @error.panic)
  (#eq? @_environment "Environment") (#any-of? @_end "Exit" "FailFast"))

; imports
(using_directive !name [(identifier) (qualified_name)] @import)
(using_directive name: (identifier) @import.alias [(qualified_name) (generic_name)] @import)

; bindings
(parameter type: (_) @binding.type name: (identifier) @binding)
(variable_declaration
  type: [(identifier) (qualified_name) (generic_name) (nullable_type) (array_type) (predefined_type)] @binding.type
  (variable_declarator name: (identifier) @binding))
(property_declaration type: (_) @binding.type name: (identifier) @binding)
(variable_declaration
  type: (implicit_type)
  (variable_declarator
    name: (identifier) @binding
    [
      (object_creation_expression type: (_) @binding.type)
      (invocation_expression function: (_) @binding.value)
      (await_expression (invocation_expression function: (_) @binding.value))]))
(foreach_statement type: [(identifier) (generic_name) (qualified_name)] @binding.type left: (identifier) @binding)
(variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @binding [(identifier) (member_access_expression)] @binding.from))
(variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @binding (with_expression . (_) @binding.from)))
(foreach_statement type: (implicit_type) left: (identifier) @binding right: (_) @binding.element)
(invocation_expression function: (member_access_expression expression: (_) @binding.element name: (identifier) @_each)
  arguments: (argument_list . (argument (lambda_expression parameters: [(implicit_parameter) @binding (parameter_list . (parameter !type name: (identifier) @binding) .)]) @binding.scope))
  (#any-of? @_each "Where" "Select" "Any" "All" "First" "FirstOrDefault" "Single" "SingleOrDefault" "Count" "OrderBy" "OrderByDescending" "SelectMany" "ForEach" "Sum" "Max" "Min"))
(variable_declaration
  type: (implicit_type)
  (variable_declarator
    name: (identifier) @binding
    [(cast_expression type: (_) @binding.type) (as_expression right: (_) @binding.type)]))
(catch_declaration type: (_) @binding.type name: (identifier) @binding)
(is_pattern_expression pattern: (declaration_pattern type: (_) @binding.type name: (identifier) @binding))
(is_pattern_expression pattern: (recursive_pattern type: (_) @binding.type name: (identifier) @binding))
(switch_section [
  (declaration_pattern type: (_) @binding.type name: (identifier) @binding)
  (recursive_pattern type: (_) @binding.type name: (identifier) @binding)]) @binding.scope
(switch_expression_arm [
  (declaration_pattern type: (_) @binding.type name: (identifier) @binding)
  (recursive_pattern type: (_) @binding.type name: (identifier) @binding)]) @binding.scope
(declaration_expression type: [(identifier) (generic_name) (qualified_name) (nullable_type)] @binding.type name: (identifier) @binding)
; variables of which nothing more is known hide what bears their name outside
(declaration_expression type: (implicit_type) name: (identifier) @binding)
(lambda_expression parameters: [(implicit_parameter) @binding (parameter_list (parameter !type name: (identifier) @binding))]) @binding.scope
(invocation_expression function: (_) @binding.block
  arguments: (argument_list (argument (lambda_expression parameters: [(implicit_parameter) @binding (parameter_list (parameter !type name: (identifier) @binding))]) @binding.scope)))
