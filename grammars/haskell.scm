; Haskell. A signature and the equations that follow are one function; instances give their members a type.

(header module: (module) @package)

; definitions: types
(data_type name: (name) @name) @definition.type
(newtype name: (name) @name) @definition.type
(type_synonym name: (name) @name) @definition.type
(type_family name: (name) @name) @definition.type
(class name: (name) @name declarations: (_)? @body) @definition.interface
(data_constructor constructor: (prefix name: (constructor) @name)) @definition.constant
(field name: (field_name (variable) @name)) @definition.field

; definitions: functions; what is bound in `where` and `let` only when it takes parameters
(signature name: [(variable) @name (prefix_id (operator) @name)] type: (_) @_type) @definition.function
(function name: [(variable) @name (prefix_id (operator) @name)] patterns: (patterns) @parameters match: (_) @body) @definition.function
(function (infix operator: [(operator) @name (infix_id (variable) @name)]) match: (_) @body) @definition.function
(declarations (bind name: (variable) @name match: (_) @body) @definition.function)
(class_declarations (bind name: (variable) @name match: (_) @body) @definition.function)
(instance_declarations (bind name: (variable) @name match: (_) @body) @definition.function)
(signature
  name: [(variable) @name (prefix_id (operator) @name)]
  type: [
    [(apply) (name) (variable) (unit) (tuple) (list) (parens)] @result
    (function result: [(apply) (name) (variable) (unit) (tuple) (list) (parens)] @result)
    (function result: (function result: [(apply) (name) (variable) (unit) (tuple) (list) (parens)] @result))
    (function result: (function result: (function result: [(apply) (name) (variable) (unit) (tuple) (list) (parens)] @result)))
    (function result: (function result: (function result: (function result: [(apply) (name) (variable) (unit) (tuple) (list) (parens)] @result))))
    (function result: (function result: (function result: (function result: (function result: [(apply) (name) (variable) (unit) (tuple) (list) (parens)] @result)))))
    (function result: (function result: (function result: (function result: (function result: (function result: [(apply) (name) (variable) (unit) (tuple) (list) (parens)] @result))))))
  ])

; scopes and supertypes
(instance
  name: (name) @extends
  patterns: (type_patterns . (variable)* . [
    (name) @name
    (apply constructor: (name) @name)
    (parens type: (name) @name)
    (parens type: (apply constructor: (name) @name))
    (parens type: (apply constructor: (apply constructor: (name) @name)))
    (parens type: (apply constructor: (apply constructor: (apply constructor: (name) @name))))
    (parens type: (apply constructor: (apply constructor: (apply constructor: (apply constructor: (name) @name)))))
    (parens type: (apply constructor: (apply constructor: (apply constructor: (apply constructor: (apply constructor: (name) @name))))))
    (list) @name])) @scope.type
; of any type, a pair or a function: the class names what is inside
(instance name: (name) @name patterns: (type_patterns . (variable) .)) @scope.type
(instance name: (name) @name patterns: (type_patterns . [(tuple) (parens type: [(variable) (infix) (function)]) (parens type: (apply constructor: [(variable) (promoted)]))])) @scope.type
(class context: (context context: (apply constructor: (name) @extends)))

; comments
[(comment) (haddock)] @comment

; calls: prefix, infix, by `$`, and actions that stand alone
((apply function: (variable) @callee) @call
  (#not-match? @callee "^(catch|error|evaluate|exitFailure|exitWith|handle|otherwise|pure|return|throw|throwE|throwError|throwIO|throwM|ioError|try|undefined|unless|when)$"))
(apply function: (qualified id: (variable)) @callee) @call
((infix operator: (infix_id (variable) @callee)) @call
  (#not-match? @callee "^(catch|error|evaluate|exitFailure|exitWith|handle|otherwise|pure|return|throw|throwE|throwError|throwIO|throwM|ioError|try|undefined|unless|when)$"))
((infix left_operand: (variable) @callee operator: (operator) @_apply) @call (#any-of? @_apply "$" "$!" "<$>")
  (#not-match? @callee "^(catch|error|evaluate|exitFailure|exitWith|handle|otherwise|pure|return|throw|throwE|throwError|throwIO|throwM|ioError|try|undefined|unless|when)$"))
((exp . (variable) @callee @call .)
  (#not-match? @callee "^(catch|error|evaluate|exitFailure|exitWith|handle|otherwise|pure|return|throw|throwE|throwError|throwIO|throwM|ioError|try|undefined|unless|when)$"))
(bind expression: (variable) @callee @call)

; what stands after `$` is its argument
((infix operator: (operator) @_apply right_operand: (_) @order.first) @order.scope (#any-of? @_apply "$" "$!"))

; flow
(conditional then: (_) @flow.branch)
(conditional else: (_) @flow.branch)
(alternative match: (_) @flow.branch)
(match guards: (_) expression: (_) @flow.branch)
((infix left_operand: (apply function: (variable) @_when) operator: (operator) right_operand: (_) @flow.branch)
  (#any-of? @_when "when" "unless"))
((infix left_operand: (apply function: (variable) @_each) operator: (operator) right_operand: (_) @flow.loop)
  (#any-of? @_each "forM_" "forM" "for_" "for" "forever" "replicateM_" "traverse_"))

; errors: the result type, as it is or in parentheses under another one (alternatives inside alternatives lose matches)
(signature
  type: [
    (apply constructor: (apply constructor: (name) @_result argument: (_) @error.return))
    (apply argument: (parens type: (apply constructor: (apply constructor: (name) @_result argument: (_) @error.return))))
    (function result: (apply constructor: (apply constructor: (name) @_result argument: (_) @error.return)))
    (function result: (apply argument: (parens type: (apply constructor: (apply constructor: (name) @_result argument: (_) @error.return)))))
    (function result: (function result: (apply constructor: (apply constructor: (name) @_result argument: (_) @error.return))))
    (function result: (function result: (apply argument: (parens type: (apply constructor: (apply constructor: (name) @_result argument: (_) @error.return))))))
    (function result: (function result: (function result: (apply constructor: (apply constructor: (name) @_result argument: (_) @error.return)))))
    (function result: (function result: (function result: (apply argument: (parens type: (apply constructor: (apply constructor: (name) @_result argument: (_) @error.return)))))))
    (function result: (function result: (function result: (function result: (apply constructor: (apply constructor: (name) @_result argument: (_) @error.return))))))
    (function result: (function result: (function result: (function result: (apply argument: (parens type: (apply constructor: (apply constructor: (name) @_result argument: (_) @error.return))))))))
    (function result: (function result: (function result: (function result: (function result: (apply constructor: (apply constructor: (name) @_result argument: (_) @error.return)))))))
    (function result: (function result: (function result: (function result: (function result: (apply argument: (parens type: (apply constructor: (apply constructor: (name) @_result argument: (_) @error.return)))))))))
  ]
  (#any-of? @_result "Either" "ExceptT"))
(signature
  type: [
    (apply constructor: (name) @error.return)
    (apply argument: (parens type: (apply constructor: (name) @error.return)))
    (function result: (apply constructor: (name) @error.return))
    (function result: (apply argument: (parens type: (apply constructor: (name) @error.return))))
    (function result: (function result: (apply constructor: (name) @error.return)))
    (function result: (function result: (apply argument: (parens type: (apply constructor: (name) @error.return)))))
    (function result: (function result: (function result: (apply constructor: (name) @error.return))))
    (function result: (function result: (function result: (apply argument: (parens type: (apply constructor: (name) @error.return))))))
    (function result: (function result: (function result: (function result: (apply constructor: (name) @error.return)))))
    (function result: (function result: (function result: (function result: (apply argument: (parens type: (apply constructor: (name) @error.return)))))))
    (function result: (function result: (function result: (function result: (function result: (apply constructor: (name) @error.return))))))
    (function result: (function result: (function result: (function result: (function result: (apply argument: (parens type: (apply constructor: (name) @error.return))))))))
  ]
  (#eq? @error.return "Maybe"))

; errors: thrown or made
((apply function: (variable) @_throw argument: [
  (constructor) @error.raise
  (variable) @error.raise
  (apply function: (constructor) @error.raise)
  (apply function: (apply function: (constructor) @error.raise))
  (parens expression: (constructor) @error.raise)
  (parens expression: (apply function: (constructor) @error.raise))
  (parens expression: (apply function: (apply function: (constructor) @error.raise)))])
  (#any-of? @_throw "throwIO" "throw" "throwError" "throwM" "throwE" "ioError" "throwSTM"))
((infix left_operand: (variable) @_throw operator: (operator) @_apply right_operand: [
  (constructor) @error.raise
  (variable) @error.raise
  (apply function: (constructor) @error.raise)
  (apply function: (apply function: (constructor) @error.raise))
  (parens expression: (constructor) @error.raise)
  (parens expression: (apply function: (constructor) @error.raise))
  (parens expression: (apply function: (apply function: (constructor) @error.raise)))])
  (#any-of? @_throw "throwIO" "throw" "throwError" "throwM" "throwE" "ioError" "throwSTM") (#eq? @_apply "$"))
((apply function: (constructor) @_left argument: [
  (constructor) @error.raise
  (apply function: (constructor) @error.raise)
  (apply function: (apply function: (constructor) @error.raise))
  (parens expression: (constructor) @error.raise)
  (parens expression: (apply function: (constructor) @error.raise))
  (parens expression: (apply function: (apply function: (constructor) @error.raise)))])
  (#eq? @_left "Left"))
((apply function: (constructor) @_left argument: (variable) @error.propagate) (#eq? @_left "Left"))
((apply function: (variable) @error.panic) (#any-of? @error.panic "error" "errorWithoutStackTrace" "exitWith"))
((variable) @error.panic (#any-of? @error.panic "undefined" "exitFailure"))

; errors: caught
((infix
  left_operand: (_) @error.scope
  operator: (infix_id (variable) @_catch)
  right_operand: (lambda patterns: (patterns (parens pattern: (signature
    pattern: (variable) @error.variable
    type: (_) @error.catch)))) @error.handler)
  (#any-of? @_catch "catch" "catchIO" "catchError" "catchE"))
((infix
  left_operand: (_) @error.scope
  operator: (infix_id (variable) @_catch)
  right_operand: (_) @error.handler)
  (#any-of? @_catch "catch" "catchIO" "catchError" "catchE"))
((apply
  function: (apply
    function: (variable) @_handle
    argument: (parens expression: (lambda patterns: (patterns (parens pattern: (signature
      pattern: (variable) @error.variable
      type: (_) @error.catch))))) @error.handler)
  argument: (_) @error.scope)
  (#any-of? @_handle "handle" "handleIO" "handleError"))
((apply function: (variable) @error.handler argument: (_) @error.scope)
  (#any-of? @error.handler "try" "tryIO" "tryAny" "runExceptT"))

; imports
((import module: (module) @import !names !alias))
(import module: (module) @import alias: (module) @import.alias)
((import module: (module) @import names: (import_list name: (import_name (_) @import.name))) @_import
  (#not-match? @_import "\\shiding\\s"))
((import module: (module) @import names: (_)) @_import (#match? @_import "\\shiding\\s"))
; a hidden name means what the standard module calls so
((import names: (import_list name: (import_name (_) @export))) @_import
  (#set! path "Prelude") (#match? @_import "\\shiding\\s"))

; bindings
(bind pattern: (variable) @binding expression: (apply function: [(variable) (qualified)] @binding.value))
