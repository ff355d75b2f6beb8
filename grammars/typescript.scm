(abstract_class_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(type_alias_declaration name: (_) @name) @definition.type
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(enum_body [(enum_assignment name: (_) @name) (property_identifier) @name] @definition.constant)
(internal_module name: (_) @name body: (_) @body) @definition.block
(module name: (_) @name body: (_) @body) @definition.block
(internal_module body: (statement_block (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name)) @definition.constant)))
(function_signature name: (_) @name parameters: (_) @parameters) @definition.function
(method_signature name: (_) @name parameters: (_) @parameters) @definition.function
(abstract_method_signature name: (_) @name parameters: (_) @parameters) @definition.function
(public_field_definition name: (_) @name value: [(arrow_function parameters: (_)? @parameters body: (_) @body) (function_expression parameters: (_) @parameters body: (_) @body)]) @definition.function
(public_field_definition name: (_) @name) @definition.field
(interface_body (property_signature name: (_) @name) @definition.field)
(type_alias_declaration value: (object_type (property_signature name: (_) @name) @definition.field))
(type_alias_declaration value: (intersection_type (object_type (property_signature name: (_) @name) @definition.field)))
(required_parameter (accessibility_modifier) @modifier pattern: (identifier) @name) @definition.field
(ambient_declaration "declare" @modifier [(function_signature name: (_) @name) (class_declaration name: (_) @name) (lexical_declaration (variable_declarator name: (_) @name))]) @outer
(ambient_declaration (lexical_declaration (variable_declarator name: (identifier) @name)) @definition.constant)

(extends_clause value: (_) @extends)
(implements_clause (_) @extends)
(extends_type_clause type: (_) @extends)
(type_alias_declaration value: (intersection_type [(type_identifier) (generic_type)] @extends))
(type_alias_declaration name: (_) @name value: [(type_identifier) (nested_type_identifier) (union_type)] @result)

(abstract_class_declaration "abstract" @modifier)
(abstract_method_signature "abstract" @modifier)
(method_definition [(accessibility_modifier) (override_modifier)] @modifier)
(public_field_definition [(accessibility_modifier) "static" "readonly" "abstract"] @modifier)

; Result types.
(function_declaration return_type: (type_annotation (_) @result))
(generator_function_declaration return_type: (type_annotation (_) @result))
(function_signature return_type: (type_annotation (_) @result))
(method_definition return_type: (type_annotation (_) @result))
(method_signature return_type: (type_annotation (_) @result))
(abstract_method_signature return_type: (type_annotation (_) @result))
(variable_declarator name: (identifier) value: (arrow_function return_type: (type_annotation (_) @result)))

; What a function gives that ends with `return new X()`, when it declares nothing.
(method_definition name: (_) @name !return_type body: (statement_block (return_statement (new_expression constructor: (_) @result)) .))
(function_declaration name: (_) @name !return_type body: (statement_block (return_statement (new_expression constructor: (_) @result)) .))
(variable_declarator name: (identifier) @name value: (arrow_function !return_type body: [(new_expression constructor: (_) @result) (statement_block (return_statement (new_expression constructor: (_) @result)) .)]))

; Parameters; `this` names the receiver.
(formal_parameters (optional_parameter) @parameter.optional) @parameters
(formal_parameters (required_parameter value: (_)) @parameter.optional) @parameters
(formal_parameters (required_parameter pattern: (rest_pattern)) @parameter.variadic) @parameters
(formal_parameters (required_parameter pattern: (this)) @parameter.marker) @parameters

(call_expression function: (non_null_expression (identifier) @callee) arguments: (arguments)? @arguments) @call
(call_expression function: (non_null_expression (member_expression object: (_) @receiver property: (_) @callee)) arguments: (arguments)? @arguments) @call

; With type arguments the grammar puts the call around the `await`.
(call_expression function: (await_expression (identifier) @callee) arguments: (arguments)? @arguments) @call
(call_expression function: (await_expression (member_expression object: (_) @receiver property: (_) @callee)) arguments: (arguments)? @arguments) @call
(variable_declarator name: (identifier) @binding value: (call_expression function: (await_expression [(identifier) (member_expression)] @binding.value)))

(import_statement (import_require_clause (identifier) @import.alias source: (string) @import))
(export_statement "=" (identifier) @export (#set! alias "default"))

; Types of variables.
(required_parameter pattern: (identifier) @binding type: (type_annotation (_) @binding.type))
(optional_parameter pattern: (identifier) @binding type: (type_annotation (_) @binding.type))
(variable_declarator name: (identifier) @binding type: (type_annotation (_) @binding.type))
(public_field_definition name: (_) @binding type: (type_annotation (_) @binding.type))
(public_field_definition name: (_) @binding value: (new_expression constructor: (_) @binding.value))
(_ pattern: (object_pattern) type: (type_annotation (object_type (property_signature name: (_) @binding type: (type_annotation (_) @binding.type)))))
(_ pattern: (object_pattern (shorthand_property_identifier_pattern) @binding) type: (type_annotation [(type_identifier) @binding.member (generic_type name: (_) @binding.member)]))
(_ pattern: (object_pattern (object_assignment_pattern left: (shorthand_property_identifier_pattern) @binding)) type: (type_annotation [(type_identifier) @binding.member (generic_type name: (_) @binding.member)]))
(interface_body (property_signature name: (_) @binding type: (type_annotation (_) @binding.type)))
(type_alias_declaration value: (object_type (property_signature name: (_) @binding type: (type_annotation (_) @binding.type))))
(type_alias_declaration value: (intersection_type (object_type (property_signature name: (_) @binding type: (type_annotation (_) @binding.type)))))

(call_expression function: (member_expression property: (property_identifier) @_catch) arguments: (arguments . (arrow_function parameters: (formal_parameters . (required_parameter pattern: (identifier) @error.variable))) @error.handler)
  (#eq? @_catch "catch"))
(call_expression function: (member_expression object: (_) @binding.element property: (property_identifier) @_each)
  arguments: (arguments . [(arrow_function parameters: (formal_parameters . (required_parameter pattern: (identifier) @binding))) (function_expression parameters: (formal_parameters . (required_parameter pattern: (identifier) @binding)))])
  (#any-of? @_each "forEach" "map" "filter" "find" "findIndex" "findLast" "some" "every" "flatMap"))
(call_expression function: (member_expression object: (_) @binding.element property: (property_identifier) @_fold)
  arguments: (arguments . (arrow_function parameters: (formal_parameters (_) . (required_parameter pattern: (identifier) @binding))))
  (#eq? @_fold "reduce"))
; Parameters of a callback without types have those that the definition gives which it is handed to.
(call_expression function: [(identifier) (member_expression)] @binding.block
  arguments: (arguments [
    (arrow_function parameter: (identifier) @binding)
    (arrow_function parameters: (formal_parameters (required_parameter pattern: (identifier) @binding !type)))
    (function_expression parameters: (formal_parameters (required_parameter pattern: (identifier) @binding !type)))] @binding.scope))
(new_expression constructor: [(identifier) (member_expression)] @binding.block
  arguments: (arguments [
    (arrow_function parameter: (identifier) @binding)
    (arrow_function parameters: (formal_parameters (required_parameter pattern: (identifier) @binding !type)))] @binding.scope))
(variable_declarator name: (identifier) @binding value: (as_expression (_) . [(type_identifier) (generic_type) (nested_type_identifier) (array_type)] @binding.type))
(variable_declarator name: (identifier) @binding value: (non_null_expression (_) @binding.from))
(variable_declarator name: (identifier) @binding value: (new_expression type_arguments: (_)) @binding.from)
(public_field_definition name: (_) @binding value: (new_expression type_arguments: (_)) @binding.from)
(variable_declarator name: (identifier) @binding value: (ternary_expression consequence: (identifier) alternative: (call_expression function: [(identifier) (member_expression)] @binding.value)))
(variable_declarator name: (identifier) @binding value: (ternary_expression consequence: (identifier) alternative: (await_expression (call_expression function: [(identifier) (member_expression)] @binding.value))))
