; TOML: tables by their path, keys of the file and of its tables.

(table . [(bare_key) (dotted_key) (quoted_key)] @name) @definition.block
(table_array_element . [(bare_key) (dotted_key) (quoted_key)] @name) @definition.block
(pair . [(bare_key) (dotted_key) (quoted_key)] @name) @definition.field
(comment) @comment
