; HTML: elements that can be named.

(element [(start_tag (attribute
  (attribute_name) @_id
  (quoted_attribute_value (attribute_value) @name)))
  (self_closing_tag (attribute
  (attribute_name) @_id
  (quoted_attribute_value (attribute_value) @name)))] (#eq? @_id "id")) @definition.block
((element (start_tag (tag_name) @_heading) . (text) @name) @definition.block
  (#match? @_heading "^([hH][1-6]|title)$"))
(comment) @comment
((attribute (attribute_name) @_source (quoted_attribute_value (attribute_value) @import))
  (#any-of? @_source "src"))
((start_tag (tag_name) @_link (attribute (attribute_name) @_href (quoted_attribute_value (attribute_value) @import)))
  (#eq? @_link "link") (#eq? @_href "href"))
