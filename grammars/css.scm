; CSS: rules by their selectors, named at-rules, custom properties.

(rule_set (selectors) @name (block) @body) @definition.section
(keyframes_statement (keyframes_name) @name (_) @body) @definition.section
(media_statement (_) @name (block) @body) @definition.section
(supports_statement (_) @name (block) @body) @definition.section
(at_rule (at_keyword) @name (block) @body) @definition.section
((declaration (property_name) @name) @definition.constant (#match? @name "^--"))
(comment) @comment
(import_statement [
  (string_value (string_content) @import)
  (call_expression (arguments (string_value (string_content) @import)))])
