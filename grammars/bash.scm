; Bash and its relatives: functions, commands as calls, exit codes as contracts.

(function_definition name: (word) @name body: (_) @body) @definition.function
((program (declaration_command (variable_assignment name: (variable_name) @name)) @definition.constant)
  (#match? @definition.constant "^(readonly|declare|typeset|export)\\b"))
((program (variable_assignment name: (variable_name) @name) @definition.constant) (#match? @name "^[A-Z][A-Z0-9_]*$"))

; comments; the first line names the interpreter
((comment) @comment (#not-match? @comment "^#(!|\\s*shellcheck\\b)"))
((comment) @attribute (#match? @attribute "^#\\s*shellcheck\\b"))

; calls: commands that are no words of the shell itself
((command name: (command_name (word) @callee)) @call
  (#not-match? @callee "^(\\[|\\.|:|alias|bg|bind|break|builtin|cd|command|continue|dirs|echo|eval|exec|exit|export|false|fg|getopts|hash|help|history|jobs|let|local|popd|printf|pushd|pwd|read|readonly|return|set|shift|shopt|source|test|times|trap|true|type|ulimit|umask|unalias|unset|wait)$"))

; flow
(for_statement body: (_) @flow.loop)
(c_style_for_statement body: (_) @flow.loop)
(while_statement condition: (_) @flow.loop)
(while_statement body: (_) @flow.loop)
(if_statement condition: (_) (_) @flow.branch)
(case_item) @flow.branch
(list (_) ["&&" "||"] (_) @flow.branch)

; errors: exit codes
((command name: (command_name (word) @_return) argument: (number) @error.return)
  (#eq? @_return "return") (#not-eq? @error.return "0"))
((command name: (command_name (word) @error.propagate) argument: (simple_expansion (special_variable_name) @_code))
  (#eq? @error.propagate "return") (#eq? @_code "?"))
((command name: (command_name (word) @error.panic)) (#eq? @error.panic "exit"))
((command name: (command_name (word) @_trap) argument: (word) @error.catch) (#eq? @_trap "trap"))

; imports
((command name: (command_name (word) @_source) argument: [
  (word) @import
  (string) @import
  (raw_string) @import
  (concatenation) @import])
  (#any-of? @_source "source" "."))
