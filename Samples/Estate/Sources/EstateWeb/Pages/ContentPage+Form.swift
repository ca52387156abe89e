import Screens

extension ContentPage {
  /// A form, whose fields become the query of its route.
  func html(of form: ContentForm) -> HTML {
    let fields = form.fields.map { "<div>\(html(of: $0))</div>" as HTML }
    let kind: HTML = form.submitsChanges ? "class=\"filters\" data-live" : "class=\"stack\""
    return """
      <form \(kind) method="post" action="/form">\(hidden)\
      <input type="hidden" name="route" value="\(form.route)">\(fields)\
      <div><button class="main">\(form.label)</button></div></form>

      """
  }

  private func html(of field: ContentForm.Field) -> HTML {
    let name = FormFields.prefix + field.name
    let label: HTML = "<label for=\"\(name)\">\(field.label)</label>"
    switch field.kind {
    case .choice:
      let options = field.options.map { option -> HTML in
        option.value == field.value
          ? "<option value=\"\(option.value)\" selected>\(option.label)</option>"
          : "<option value=\"\(option.value)\">\(option.label)</option>"
      }
      return "\(label)<select id=\"\(name)\" name=\"\(name)\">\(options)</select>"
    case .paragraph:
      return """
        \(label)<textarea id="\(name)" name="\(name)" maxlength="4000" required>\(field.value)</textarea>
        """
    case .text, .number:
      // What is suggested are names, which the server accepts in letters of either case.
      let value = field.options.isEmpty ? field.value : field.value.withNames
      let options = field.options.map {
        "<option value=\"\($0.value.withNames)\">\($0.label.withNames)</option>" as HTML
      }
      let list: HTML = options.isEmpty ? "" : "<datalist id=\"\(name)-list\">\(options)</datalist>"
      let mode = field.kind == .number ? "numeric" : "text"
      return """
        \(label)<input id="\(name)" name="\(name)" value="\(value)" inputmode="\(mode)" \
        list="\(name)-list" autocomplete="off">\(list)
        """
    }
  }
}
