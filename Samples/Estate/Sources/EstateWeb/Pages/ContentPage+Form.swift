import Screens

extension ContentPage {
  /// A form, whose fields become the query of its route.
  func html(of form: ScreenAction, submitsChanges: Bool) -> HTML {
    let fields = form.fields.map { "<div>\(html(of: $0))</div>" as HTML }
    let kind: HTML = submitsChanges ? "class=\"filters\" data-live" : "class=\"stack\""
    return """
      <form \(kind) method="post" action="/form">\(hidden)\
      <input type="hidden" name="route" value="\(form.route)">\(fields)\
      <div><button class="main">\(form.label)</button></div></form>

      """
  }

  private func html(of field: ScreenField) -> HTML {
    let name = FormFields.prefix + field.name
    switch field {
    case .choice(_, let label, let value, let options):
      let options = options.map { option -> HTML in
        option.value == value
          ? "<option value=\"\(option.value)\" selected>\(option.label)</option>"
          : "<option value=\"\(option.value)\">\(option.label)</option>"
      }
      return """
        <label for="\(name)">\(label)</label><select id="\(name)" name="\(name)">\(options)</select>
        """
    case .paragraph(_, let label, let value):
      return """
        <label for="\(name)">\(label)</label>\
        <textarea id="\(name)" name="\(name)" maxlength="4000" required>\(value)</textarea>
        """
    case .text(_, let label, let value, let suggestions):
      // What is suggested are names, which the server accepts in letters of either case.
      return line(name, label, suggestions.isEmpty ? value : value.withNames, suggestions, mode: "text")
    case .number(_, let label, let value): return line(name, label, value, [], mode: "numeric")
    }
  }

  private func line(
    _ name: String, _ label: String, _ value: String, _ suggestions: [Fact], mode: String
  ) -> HTML {
    let options = suggestions.map {
      "<option value=\"\($0.value.withNames)\">\($0.label.withNames)</option>" as HTML
    }
    let list: HTML = options.isEmpty ? "" : "<datalist id=\"\(name)-list\">\(options)</datalist>"
    return """
      <label for="\(name)">\(label)</label><input id="\(name)" name="\(name)" value="\(value)" \
      inputmode="\(mode)" list="\(name)-list" autocomplete="off">\(list)
      """
  }
}
