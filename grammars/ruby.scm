; Ruby. A module with methods of its own is a mixin and a definition; one that only nests others is a namespace.

; definitions: types
(class name: (constant) @name) @definition.class
(class name: (scope_resolution scope: (_) @owner name: (constant) @name)) @definition.class
(module name: (constant) @name body: (body_statement [(method) (singleton_method) (singleton_class)])) @definition.class
(module
  name: (scope_resolution scope: (_) @owner name: (constant) @name)
  body: (body_statement [(method) (singleton_method) (singleton_class)])) @definition.class
(module name: (constant) @name) @scope.module
(module name: (scope_resolution scope: (_) @owner name: (constant) @name)) @scope.module
((assignment
  left: (constant) @name
  right: (call receiver: (constant) @_struct method: (identifier) @_new)) @definition.class
  (#any-of? @_struct "Struct" "Data" "Class" "Module") (#any-of? @_new "new" "define"))
(assignment left: (constant) @name) @definition.constant
((call !receiver method: (identifier) @_attr arguments: (argument_list (simple_symbol) @name)) @definition.field
  (#any-of? @_attr "attr_reader" "attr_writer" "attr_accessor" "attr" "mattr_accessor" "mattr_reader" "mattr_writer" "cattr_accessor" "cattr_reader"
    "cattr_writer" "class_attribute" "thread_mattr_accessor" "delegate"))
; what a structure consists of
((assignment
  left: (constant)
  right: (call receiver: (constant) @_struct method: (identifier) @_new arguments: (argument_list (simple_symbol) @name @definition.field)))
  (#any-of? @_struct "Struct" "Data") (#any-of? @_new "new" "define"))
((superclass (call receiver: (constant) @_struct method: (identifier) @_new arguments: (argument_list (simple_symbol) @name @definition.field)))
  (#any-of? @_struct "Struct" "Data") (#any-of? @_new "new" "define"))

; definitions: functions
(method name: (_) @name parameters: (method_parameters)? @parameters) @definition.function
; what a method gives that ends with `X.new`
((method name: (_) @name body: (body_statement (call receiver: [(constant) (scope_resolution)] @result method: (identifier) @_new) .)) (#eq? @_new "new"))
(singleton_method
  object: (_) @modifier
  name: (_) @name
  parameters: (method_parameters)? @parameters) @definition.function
(singleton_class value: (self) @modifier body: (body_statement (method name: (_) @name)))
(alias name: (_) @name) @definition.function
((call !receiver method: (identifier) @_alias arguments: (argument_list . [(simple_symbol) (string)] @name)) @definition.function
  (#any-of? @_alias "alias_method" "define_method" "define_singleton_method"))
; a lambda with a name
(assignment
  left: (identifier) @name
  right: (lambda parameters: (_)? @parameters body: (_) @body)) @definition.function
((assignment
  left: (identifier) @name
  right: (call !receiver method: (identifier) @_lambda block: (_ parameters: (_)? @parameters) @body)) @definition.function
  (#any-of? @_lambda "lambda" "proc"))

; supertypes: the superclass and what is mixed in
(class superclass: (superclass (_) @extends))
((call !receiver method: (identifier) @_mix arguments: (argument_list [(constant) (scope_resolution)] @extends))
  (#any-of? @_mix "include" "extend" "prepend"))

; comments; the first line may name the interpreter or set options
((comment) @comment (#not-match? @comment "^#(!|\\s*(-\\*-|frozen_string_literal:|encoding:|rubocop:|typed:|:nodoc:))"))
((comment) @attribute (#match? @attribute "^#\\s*(rubocop:|:nodoc:)"))

; parameters
(method_parameters [
  (optional_parameter)
  (keyword_parameter value: (_))
  (block_parameter)] @parameter.optional) @parameters
(method_parameters [(splat_parameter) (hash_splat_parameter)] @parameter.variadic) @parameters

; calls; the words that say something about the class or raise are no calls
((call !receiver method: (identifier) @callee arguments: (argument_list)? @arguments) @call
  (#not-match? @callee "^(raise|fail|require|require_relative|load|autoload|include|extend|prepend|lambda|proc|private|protected|public|module_function|private_constant|private_class_method|attr_reader|attr_writer|attr_accessor|attr|alias_method|delegate|class_attribute|[cm]attr_\\w+|abort|exit|exit!|rescue_from|block_given\\?|puts|p|print|loop)$"))
(call receiver: (_) @receiver method: (_) @callee arguments: (argument_list)? @arguments) @call
(call method: (super) @callee arguments: (argument_list)? @arguments) @call
[
  (body_statement (super) @callee @call)
  (then (super) @callee @call)
  (else (super) @callee @call)
  (begin (super) @callee @call)
  (assignment right: (super) @callee @call)
  (argument_list (super) @callee @call)
  (binary (super) @callee @call)]
(argument_list [(splat_argument) (hash_splat_argument) (block_argument)] @argument.spread) @arguments
; a bare name is a call where no variable has the name
((identifier) @call.name
  (#not-match? @call.name "^(raise|fail|require|require_relative|load|autoload|include|extend|prepend|lambda|proc|private|protected|public|module_function|private_constant|private_class_method|attr_reader|attr_writer|attr_accessor|attr|alias_method|define_method|delegate|class_attribute|[cm]attr_\\w+|abort|exit|exit!|rescue_from|block_given\\?|puts|p|print|loop|binding|caller|object_id|__\\w+)$"))
(method_parameters (identifier) @local)
(block_parameters (identifier) @local)
(block_parameters locals: (identifier) @local)
(lambda_parameters (identifier) @local)
(destructured_parameter (identifier) @local)
(optional_parameter name: (identifier) @local)
(keyword_parameter name: (identifier) @local)
(splat_parameter name: (identifier) @local)
(hash_splat_parameter name: (identifier) @local)
(block_parameter name: (identifier) @local)
(assignment left: (identifier) @local)
(operator_assignment left: (identifier) @local)
(left_assignment_list (identifier) @local)
(destructured_left_assignment (identifier) @local)
(rest_assignment (identifier) @local)
(exception_variable (identifier) @local)
(for pattern: (identifier) @local)
(in_clause pattern: (identifier) @local)
(array_pattern (identifier) @local)
(as_pattern name: (identifier) @local)
(keyword_pattern key: (hash_key_symbol) @local)
(keyword_pattern value: (identifier) @local)
(undef (identifier) @local)
(alias alias: (identifier) @local)

; flow
(while condition: (_) @flow.loop)
(while body: (_) @flow.loop)
(until condition: (_) @flow.loop)
(until body: (_) @flow.loop)
(while_modifier body: (_) @flow.loop)
(until_modifier body: (_) @flow.loop)
(for body: (_) @flow.loop)
((call method: (identifier) @_each block: (_) @flow.loop)
  (#match? @_each "^(loop|times|upto|downto|step|each\\w*|map|flat_map|filter_map|collect|select|filter|reject|find|detect|find_each|any\\?|all\\?|none\\?|sum|inject|reduce|group_by|partition|sort_by|min_by|max_by|to_h|zip)!?$"))
(then) @flow.branch
(else) @flow.branch
(if_modifier body: (_) @flow.branch)
(unless_modifier body: (_) @flow.branch)
(conditional consequence: (_) @flow.branch)
(conditional alternative: (_) @flow.branch)
(binary operator: ["&&" "||" "and" "or"] right: (_) @flow.branch)
(assignment left: (call) right: (_) @order.first) @order.scope
([
  (if_modifier condition: (_) @order.first)
  (unless_modifier condition: (_) @order.first)
  (while_modifier condition: (_) @order.first)
  (until_modifier condition: (_) @order.first)] @order.scope)

; errors: raised
((call !receiver method: (identifier) @_raise arguments: (argument_list . [
  (constant)
  (scope_resolution)
  (identifier)
  (instance_variable)
  (call receiver: [(constant) (scope_resolution) (identifier) (self)])
  (call !receiver)] @error.raise))
  (#any-of? @_raise "raise" "fail"))
((call !receiver method: (identifier) @error.raise arguments: (argument_list . [
  (string) (heredoc_beginning) (call receiver: (heredoc_beginning))]))
  (#any-of? @error.raise "raise" "fail"))
([
  (body_statement (identifier) @error.propagate)
  (then (identifier) @error.propagate)
  (else (identifier) @error.propagate)
  (begin (identifier) @error.propagate)
  (if_modifier body: (identifier) @error.propagate)
  (unless_modifier body: (identifier) @error.propagate)]
  (#any-of? @error.propagate "raise" "fail"))

; errors: rescued, in a method, a block or a `begin`
; (the statements before the first clause are protected, `else` and `ensure` are not)
([
  (body_statement (_) @error.scope (rescue) @error.handler)
  (begin (_) @error.scope (rescue) @error.handler)]
  (#not-match? @error.scope "^rescue\\b"))
(rescue exceptions: (exceptions (_) @error.catch)) @error.handler
(rescue variable: (exception_variable (_) @error.variable)) @error.handler
; a type that is handled while the rest is raised again, and one that alone is raised again
(unless_modifier body: [(identifier) (call !receiver method: (identifier) arguments: (argument_list (identifier)))] @_raised condition: (call receiver: (identifier) @error.variable method: (identifier) @_is arguments: (argument_list . (_) @error.kept)) (#any-of? @_is "is_a?" "kind_of?" "instance_of?") (#match? @_raised "^raise\\b"))
(if_modifier body: (return) condition: (call receiver: (identifier) @error.variable method: (identifier) @_is arguments: (argument_list . (_) @error.kept)) (#any-of? @_is "is_a?" "kind_of?" "instance_of?"))
(if_modifier body: (identifier) @_raised @error.pass condition: (call receiver: (identifier) @error.variable method: (identifier) @_is arguments: (argument_list . (_) @error.passes)) (#any-of? @_is "is_a?" "kind_of?" "instance_of?") (#match? @_raised "^raise\\b"))
(if_modifier body: (call !receiver method: (identifier) @_raised arguments: (argument_list . (identifier) @error.pass .)) condition: (call receiver: (identifier) @error.variable method: (identifier) @_is arguments: (argument_list . (_) @error.passes)) (#any-of? @_is "is_a?" "kind_of?" "instance_of?") (#match? @_raised "^raise\\b"))
(rescue_modifier body: (_) @error.scope handler: (_) @error.handler)
((call method: (identifier) @_from arguments: (argument_list [(constant) (scope_resolution)] @error.catch))
  (#eq? @_from "rescue_from"))

; errors: the program ends
((call !receiver method: (identifier) @error.panic) (#any-of? @error.panic "abort" "exit" "exit!"))

; imports
((call !receiver method: (identifier) @_require arguments: (argument_list . (string (string_content) @import)))
  (#any-of? @_require "require" "require_relative" "load"))
((call !receiver method: (identifier) @_autoload
  arguments: (argument_list . (simple_symbol) @import.name . (string (string_content) @import)))
  (#eq? @_autoload "autoload"))

; bindings
((assignment
  left: [(identifier) (instance_variable) (constant)] @binding
  right: (call receiver: [(constant) (scope_resolution)] @binding.type method: (identifier) @_new))
  (#eq? @_new "new") (#not-match? @binding.type "^(Struct|Data|Class|Module)$"))
((operator_assignment
  left: [(identifier) (instance_variable)] @binding
  right: (call receiver: [(constant) (scope_resolution)] @binding.type method: (identifier) @_new))
  (#eq? @_new "new"))
((assignment
  left: [(identifier) (instance_variable)] @binding
  right: (call !receiver method: (identifier) @binding.value))
  (#not-match? @binding.value "^(lambda|proc)$"))
((optional_parameter
  name: (identifier) @binding
  value: (call receiver: [(constant) (scope_resolution)] @binding.type method: (identifier) @_new))
  (#eq? @_new "new"))
