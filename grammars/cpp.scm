; C++, on top of C. `Foo::bar` names its owner away from the nest; `template <…>` is a wrapper.

; scopes
(namespace_definition name: [(namespace_identifier) (nested_namespace_specifier)] @name) @scope.module

; definitions: types
(class_specifier name: (type_identifier) @name body: (_)) @definition.class
(class_specifier name: (template_type name: (type_identifier) @name) body: (_)) @definition.class
(struct_specifier name: (template_type name: (type_identifier) @name) body: (_)) @definition.class
(class_specifier name: (qualified_identifier scope: (_) @owner name: (type_identifier) @name) body: (_)) @definition.class
(struct_specifier name: (qualified_identifier scope: (_) @owner name: (type_identifier) @name) body: (_)) @definition.class
(class_specifier name: (qualified_identifier scope: (_) @owner name: (template_type name: (type_identifier) @name)) body: (_)) @definition.class
(struct_specifier name: (qualified_identifier scope: (_) @owner name: (template_type name: (type_identifier) @name)) body: (_)) @definition.class
(alias_declaration name: (type_identifier) @name) @definition.type
(alias_declaration name: (type_identifier) @name type: (type_descriptor type: [(type_identifier) (qualified_identifier) (template_type)] @result))
(type_definition type: [(qualified_identifier) (template_type)] @result declarator: (type_identifier) @name)
(concept_definition name: (identifier) @name) @definition.type
; `class EXPORT Name {…}`: the macro takes the place of the name
(function_definition
  type: [(class_specifier name: (_) !body) (struct_specifier name: (_) !body)]
  declarator: (identifier) @name
  body: (_) @body) @definition.class

; members
(field_declaration declarator: (reference_declarator (field_identifier) @name)) @definition.field

; definitions: functions with names that C has not
(function_definition
  type: (_)? @result
  declarator: [
    (function_declarator
      declarator: [(field_identifier) (destructor_name) (operator_name)] @name
      parameters: (parameter_list) @parameters)
    (reference_declarator (function_declarator
      declarator: [(identifier) (field_identifier) (operator_name)] @name
      parameters: (parameter_list) @parameters))
    (pointer_declarator declarator: (function_declarator
      declarator: [(field_identifier) (operator_name)] @name
      parameters: (parameter_list) @parameters))
    (operator_cast) @name]) @definition.function
; constructors have no type
(field_declaration_list (function_definition
  !type
  declarator: (function_declarator
    declarator: (identifier) @name parameters: (parameter_list) @parameters)) @definition.function)
(field_declaration_list (template_declaration (function_definition
  !type
  declarator: (function_declarator
    declarator: (identifier) @name parameters: (parameter_list) @parameters)) @definition.function))
; members defined away from their class: Class::name, then space::Class::name
(function_definition
  type: (_)? @result
  declarator: [
    (function_declarator
      declarator: (qualified_identifier
        scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
        name: [(identifier) (destructor_name) (operator_name) (operator_cast)] @name)
      parameters: (parameter_list) @parameters)
    (reference_declarator (function_declarator
      declarator: (qualified_identifier
        scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
        name: [(identifier) (operator_name)] @name)
      parameters: (parameter_list) @parameters))
    (pointer_declarator declarator: (function_declarator
      declarator: (qualified_identifier
        scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
        name: [(identifier) (operator_name)] @name)
      parameters: (parameter_list) @parameters))
    (qualified_identifier
      scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
      name: (operator_cast) @name)]) @definition.function
(function_definition
  type: (_)? @result
  declarator: [
    (function_declarator
      declarator: (qualified_identifier scope: (_) @owner name: (qualified_identifier
        scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
        name: [(identifier) (destructor_name) (operator_name)] @name))
      parameters: (parameter_list) @parameters)
    (reference_declarator (function_declarator
      declarator: (qualified_identifier scope: (_) @owner name: (qualified_identifier
        scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
        name: [(identifier) (operator_name)] @name))
      parameters: (parameter_list) @parameters))
    (pointer_declarator declarator: (function_declarator
      declarator: (qualified_identifier scope: (_) @owner name: (qualified_identifier
        scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
        name: [(identifier) (operator_name)] @name))
      parameters: (parameter_list) @parameters))]) @definition.function
(function_definition
  type: (_)? @result
  declarator: [
    (function_declarator
      declarator: (qualified_identifier scope: (_) @owner name: (qualified_identifier scope: (_) @owner
        name: (qualified_identifier
          scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
          name: [(identifier) (destructor_name) (operator_name)] @name)))
      parameters: (parameter_list) @parameters)
    (_ (function_declarator
      declarator: (qualified_identifier scope: (_) @owner name: (qualified_identifier scope: (_) @owner
        name: (qualified_identifier
          scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
          name: [(identifier) (operator_name)] @name)))
      parameters: (parameter_list) @parameters))]) @definition.function
; specialisations
(function_definition
  type: (_)? @result
  declarator: (function_declarator
    declarator: [
      (template_function name: (identifier) @name)
      (qualified_identifier
        scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
        name: (template_function name: (identifier) @name))]
    parameters: (parameter_list) @parameters)) @definition.function
; what only subclasses define is an interface
(field_declaration
  type: (_) @result
  declarator: [
    (function_declarator declarator: (_) @name parameters: (parameter_list) @parameters)
    (reference_declarator (function_declarator declarator: (_) @name parameters: (parameter_list) @parameters))
    (pointer_declarator declarator: (function_declarator declarator: (_) @name parameters: (parameter_list) @parameters))]
  default_value: (number_literal)) @definition.function
; a lambda with a name
(declaration declarator: (init_declarator
  declarator: (identifier) @name
  value: (lambda_expression
    declarator: (abstract_function_declarator parameters: (parameter_list) @parameters)?
    body: (_) @body))) @definition.function
; a macro that makes the head of a function: `TEST(Suite, Case) {…}`, `BENCHMARK(Name) {…}`
((function_definition
  !type
  declarator: (function_declarator
    declarator: (identifier) @_macro
    parameters: (parameter_list
      . (parameter_declaration type: (type_identifier) @owner)
      . (parameter_declaration type: (type_identifier) @name) .))) @definition.function
  (#match? @_macro "^[A-Z][A-Z0-9_]+$"))
((function_definition
  !type
  declarator: (function_declarator
    declarator: (identifier) @_macro
    parameters: (parameter_list . (parameter_declaration !declarator type: (type_identifier) @name) .))) @definition.function
  (#match? @_macro "^[A-Z][A-Z0-9_]+$"))

(declaration_list (declaration (storage_class_specifier)? @modifier declarator: [
  (identifier) @name
  (array_declarator declarator: (identifier) @name)
  (init_declarator declarator: [
    (identifier) @name
    (array_declarator declarator: (identifier) @name)
    (pointer_declarator declarator: (identifier) @name)])]) @definition.constant
  (#not-match? @definition.constant "^extern\\b"))

(template_declaration [
  (class_specifier name: [(type_identifier) @name (template_type name: (_) @name)])
  (struct_specifier name: [(type_identifier) @name (template_type name: (_) @name)])
  (alias_declaration name: (_) @name)
  (concept_definition name: (_) @name)]) @outer
(template_declaration (function_definition declarator: [
  (function_declarator declarator: [
    (qualified_identifier name: [(identifier) (destructor_name) (operator_name)] @name)
    (identifier) @name
    (field_identifier) @name
    (operator_name) @name])
  (reference_declarator (function_declarator declarator: [
    (qualified_identifier name: [(identifier) (operator_name)] @name)
    (identifier) @name
    (field_identifier) @name
    (operator_name) @name]))
  (pointer_declarator declarator: (function_declarator declarator: [
    (qualified_identifier name: [(identifier) (operator_name)] @name)
    (identifier) @name
    (field_identifier) @name]))])) @outer

; supertypes
(base_class_clause [
  (type_identifier) @extends
  (qualified_identifier) @extends
  (template_type name: (_) @extends)])

; words that matter to callers
(function_definition declarator: (function_declarator (virtual_specifier) @modifier))
(class_specifier (virtual_specifier) @modifier)
(function_definition "virtual" @modifier)
(field_declaration "virtual" @modifier default_value: (number_literal))

; parameters
(parameter_list (optional_parameter_declaration) @parameter.optional) @parameters
(parameter_list [(variadic_parameter_declaration) "..."] @parameter.variadic) @parameters

; calls: with a scope, with template arguments, constructors
((call_expression
  function: (qualified_identifier scope: (_) @receiver name: (identifier) @callee)
  arguments: (argument_list) @arguments) @call
  (#not-match? @callee "^(move|forward)$"))
(call_expression
  function: (qualified_identifier name: (qualified_identifier)) @callee
  arguments: (argument_list) @arguments) @call
((call_expression
  function: (template_function name: (identifier) @callee)
  arguments: (argument_list) @arguments) @call
  (#not-match? @callee "_cast$"))
((call_expression
  function: (qualified_identifier scope: (_) @receiver name: (template_function name: (identifier) @callee))
  arguments: (argument_list) @arguments) @call
  (#not-match? @callee "^(move|forward)$"))
(call_expression
  function: (field_expression argument: (_) @receiver field: (template_method name: (_) @callee))
  arguments: (argument_list) @arguments) @call
; what is made on the heap is constructed
((call_expression
  function: [
    (qualified_identifier name: (template_function name: (identifier) @_make arguments: (template_argument_list . (type_descriptor type: (_) @callee))))
    (template_function name: (identifier) @_make arguments: (template_argument_list . (type_descriptor type: (_) @callee)))]
  arguments: (argument_list) @arguments) @call
  (#any-of? @_make "make_unique" "make_shared"))
(new_expression
  type: [(type_identifier) @callee (qualified_identifier) @callee (template_type name: (_) @callee)]
  arguments: (_)? @arguments) @call
(declaration
  type: [(type_identifier) @callee (template_type name: (_) @callee)]
  declarator: (init_declarator value: [(argument_list) (initializer_list)] @arguments)) @call
; a variable made of other variables alone: the grammar reads the declaration of a function
((compound_statement
  (declaration
    type: [(type_identifier) @callee (qualified_identifier) @callee (template_type name: (_) @callee)]
    declarator: (function_declarator
      declarator: (identifier)
      parameters: (parameter_list . (parameter_declaration type: (type_identifier) @_variable !declarator)) @arguments)) @call)
  (#match? @_variable "^[a-z_]") (#not-match? @_variable "_t$"))
(argument_list (parameter_pack_expansion) @argument.spread) @arguments

; flow
(for_range_loop body: (_) @flow.loop)

; errors
(noexcept) @error.declare
(throw_specifier (_) @error.declare)
(throw_statement (_) @error.raise)
((throw_statement) @error.propagate (#match? @error.propagate "^throw\\s*;"))
((call_expression function: (qualified_identifier) @error.propagate)
  (#any-of? @error.propagate "std::rethrow_exception" "std::throw_with_nested"))
((call_expression function: (qualified_identifier) @error.panic)
  (#any-of? @error.panic "std::abort" "std::terminate" "std::exit" "std::quick_exit"))
(try_statement
  body: (_) @error.scope
  (catch_clause parameters: (parameter_list (parameter_declaration
    type: (_) @error.catch
    declarator: [
      (identifier) @error.variable
      (reference_declarator (identifier) @error.variable)
      (pointer_declarator declarator: (identifier) @error.variable)]))) @error.handler)
(try_statement
  body: (_) @error.scope
  (catch_clause parameters: (parameter_list (parameter_declaration
    type: (_) @error.catch
    declarator: [(abstract_reference_declarator) (abstract_pointer_declarator)]))) @error.handler)
(try_statement
  body: (_) @error.scope
  (catch_clause parameters: (parameter_list (parameter_declaration !declarator type: (_) @error.catch))) @error.handler)
(try_statement
  body: (_) @error.scope
  (catch_clause parameters: (parameter_list . "(" . "..." . ")")) @error.handler)

; bindings: references, qualified types, `auto`
(_
  declarator: (function_declarator parameters: (parameter_list (parameter_declaration
    type: (_) @binding.type
    declarator: (reference_declarator (identifier) @binding))))
  body: (_))
(_
  declarator: (_ (function_declarator parameters: (parameter_list (parameter_declaration
    type: (_) @binding.type
    declarator: (reference_declarator (identifier) @binding)))))
  body: (_))
(_
  declarator: (function_declarator parameters: (parameter_list (optional_parameter_declaration
    type: (_) @binding.type
    declarator: [
      (identifier) @binding
      (reference_declarator (identifier) @binding)
      (pointer_declarator declarator: (identifier) @binding)])))
  body: (_))
(lambda_expression declarator: (abstract_function_declarator parameters: (parameter_list (parameter_declaration
  type: (_) @binding.type
  declarator: [
    (identifier) @binding
    (reference_declarator (identifier) @binding)
    (pointer_declarator declarator: (identifier) @binding)]))))
(field_declaration type: (_) @binding.type declarator: (reference_declarator (field_identifier) @binding))
((declaration
  type: (_) @binding.type
  declarator: [
    (reference_declarator (identifier) @binding)
    (init_declarator declarator: (reference_declarator (identifier) @binding))])
  (#not-match? @binding.type "^auto\\b"))
((compound_statement
  (declaration
    type: [(type_identifier) (template_type) (qualified_identifier)] @binding.type
    declarator: (function_declarator
      declarator: (identifier) @binding
      parameters: (parameter_list . (parameter_declaration type: (type_identifier) @_variable !declarator)))))
  (#match? @_variable "^[a-z_]") (#not-match? @_variable "_t$"))
(declaration
  type: [(qualified_identifier) (template_type)] @binding.type
  declarator: [
    (identifier) @binding
    (pointer_declarator declarator: (identifier) @binding)
    (init_declarator declarator: (identifier) @binding)
    (init_declarator declarator: (pointer_declarator declarator: (identifier) @binding))])
(for_range_loop
  type: [(type_identifier) (qualified_identifier) (template_type)] @binding.type
  declarator: [(identifier) @binding (reference_declarator (identifier) @binding)])
(declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: [
      (identifier) @binding
      (pointer_declarator declarator: (identifier) @binding)
      (reference_declarator (identifier) @binding)]
    value: [
      (call_expression function: [(identifier) (qualified_identifier) (field_expression)] @binding.value)
      (new_expression type: (_) @binding.type)
      (compound_literal_expression type: (_) @binding.type)]))
(declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: [
      (identifier) @binding
      (pointer_declarator declarator: (identifier) @binding)
      (reference_declarator (identifier) @binding)]
    value: [(identifier) (field_expression) (pointer_expression argument: (identifier))] @binding.from))
(for_range_loop
  type: (placeholder_type_specifier)
  declarator: [(identifier) @binding (reference_declarator (identifier) @binding)]
  right: [(identifier) (field_expression) (call_expression)] @binding.element)
((declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: (identifier) @binding
    value: (call_expression function: (qualified_identifier name: (template_function
      name: (identifier) @_make
      arguments: (template_argument_list . (type_descriptor type: (_) @binding.type)))))))
  (#any-of? @_make "make_unique" "make_shared"))
