public import Screens

extension ScreenContent {
  /// What the user can do on the screen, each with its URL, as a terminal lists it.
  public var offeredRoutes: [(label: String, route: String)] {
    let inBlocks = blocks.flatMap { block -> [(String, String)] in
      switch block {
      case .cards(let list): list.more.map { [($0.label, $0.route)] } ?? []
      case .choices(let group):
        group.options.filter { !$0.isSelected }.map { ("\(group.label): \($0.label)", $0.route) }
      case .form(let form):
        [(form.label, form.route + "?" + form.fields.map { "\($0.name)=…" }.joined(separator: "&"))]
      default: []
      }
    }
    return actions.map { ($0.label, $0.route) } + inBlocks
  }
}
