; OCaml files, on top of what they share with interfaces: values of the file.

(compilation_unit (value_definition (let_binding pattern: (value_name) @name) @definition.constant))
