; CSS: rules by their selectors, named at-rules, custom properties.

(rule_set (selectors) @name (block) @body) @definition.block
(keyframes_statement (keyframes_name) @name (_) @body) @definition.block
(media_statement (_) @name (block) @body) @definition.block
(supports_statement (_) @name (block) @body) @definition.block
(at_rule (at_keyword) @name (block) @body) @definition.block
((declaration (property_name) @name) @definition.constant (#match? @name "^--"))
(comment) @comment
(import_statement [
  (string_value (string_content) @import)
  (call_expression (arguments (string_value (string_content) @import)))])
