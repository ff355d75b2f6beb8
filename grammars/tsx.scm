; A component in markup is called where it stands.
((jsx_element open_tag: (jsx_opening_element name: (identifier) @callee)) @call (#match? @callee "^[A-Z]"))
((jsx_self_closing_element name: (identifier) @callee) @call (#match? @callee "^[A-Z]"))
