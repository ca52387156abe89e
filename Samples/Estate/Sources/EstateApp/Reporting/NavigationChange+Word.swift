import Switchyard

extension NavigationChange {
  /// What happened, for the line under a screen.
  var word: String {
    switch self {
    case .pushed: "pushed"
    case .presented: "presented"
    case .replaced: "replaced"
    case .rooted: "the only one"
    case .removed(let entries): "\(entries.count) closed"
    case .selected(let tab): "tab \(tab)"
    case .restored(let entries): "\(entries.count) opened again"
    }
  }
}
