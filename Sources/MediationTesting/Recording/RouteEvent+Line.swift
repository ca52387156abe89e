import Mediation

extension RouteEvent {
  /// The event in one line, without times and memory addresses.
  ///
  /// Not an exhaustive switch, so that an event that is unknown here still gets a line.
  var line: String {
    if case .opened(let summary, let origin, let opener) = self {
      let by = opener.map { " by \($0)" } ?? ""
      return "opened \(summary.name)\(origin.isExternal ? " from outside" : "")\(by)"
    }
    if case .answered(let summary) = self { return "answered \(summary.name)" }
    if case .verdict(let verdict, let guardID, let summary) = self {
      return "guard \(guardID) on \(summary.name): \(verdict)"
    }
    if case .fellBack(let url, _, let error) = self { return "fell back \(url): \(error)" }
    if case .failed(let url, let name, _, let error) = self {
      return "failed \(name ?? url ?? "-"): \(error)"
    }
    return "\(self)"
  }
}

extension ModuleEvent {
  /// The event in one line, without times.
  var line: String {
    switch self {
    case .delivered(let event, let entry):
      "\(event.kind.rawValue) delivered to \(entry.module)\(entry.failure.map { ": \($0)" } ?? "")"
    case .loaded(let name, _, _): "loaded \(name)"
    case .loadFailed(let name, _, let error, _): "failed to load \(name): \(error)"
    case .released(let name): "released \(name)"
    }
  }
}
