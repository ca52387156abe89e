import Navigation

/// An independent model of the navigation: a plain list of rows with their layers.
///
/// Layers below `tabs.count` are the tabs; the others are presented stacks, the highest number on top.
struct NavigationModel {
  struct Row: Equatable {
    let id: Int
    var layer: Int
  }

  let tabs: [String]
  let limit: Int
  var rows: [Row] = []
  var selected = 0
  private var lastLayer: Int
  private let base: Int

  init(tabs: [String], limit: Int) {
    self.tabs = tabs
    self.limit = limit
    base = max(1, tabs.count)
    lastLayer = base
  }

  var modalLayers: [Int] { Set(rows.map(\.layer).filter { $0 >= base }).sorted() }
  var current: Int { modalLayers.last ?? selected }
  func ids(in layer: Int) -> [Int] { rows.filter { $0.layer == layer }.map(\.id) }

  /// Applies a command; returns nil if it must fail, or else the ids that must be removed.
  mutating func apply(_ command: NavigationCommand) -> Set<Int>? {
    let before = Set(rows.map(\.id))
    var added: Int?
    switch command {
    case .show(let entry, let style):
      let id = entry.id.number
      if before.contains(id) { return nil }
      var next = self
      switch style {
      case .push: next.rows.append(Row(id: id, layer: current))
      case .present:
        next.lastLayer += 1
        next.rows.append(Row(id: id, layer: next.lastLayer))
      case .replace:
        let layer = current
        if let top = ids(in: layer).last { next.rows.removeAll { $0.id == top } }
        next.rows.append(Row(id: id, layer: layer))
      case .root:
        next.rows.removeAll { $0.layer >= base || $0.layer == selected }
        next.rows.append(Row(id: id, layer: selected))
      case .tab(let name):
        guard let index = tabs.firstIndex(of: name) else { return nil }
        next.selected = index
        next.rows.removeAll { [base] in $0.layer >= base }
        next.rows.append(Row(id: id, layer: index))
      }
      if next.rows.count > limit { return nil }
      self = next
      added = id
    case .pop:
      let layer = current
      let stack = ids(in: layer)
      guard let top = stack.last, layer >= base || stack.count > 1 else { return nil }
      rows.removeAll { $0.id == top }
    case .popTo(let id):
      let stack = ids(in: current)
      guard let index = stack.firstIndex(of: id.number) else { return nil }
      remove(stack[(index + 1)...])
    case .popToRoot:
      let stack = ids(in: current)
      if stack.isEmpty { return nil }
      remove(stack[1...])
    case .dismiss:
      guard let layer = modalLayers.last else { return nil }
      rows.removeAll { $0.layer == layer }
    case .dismissAll:
      if modalLayers.isEmpty { return nil }
      rows.removeAll { [base] in $0.layer >= base }
    case .close(let id):
      guard let row = rows.first(where: { $0.id == id.number }) else { return nil }
      let stack = ids(in: row.layer)
      remove(stack.drop { $0 != row.id })
      if row.layer >= base || row.layer == selected {
        rows.removeAll { [base] in $0.layer >= base && $0.layer > row.layer }
      }
    case .closeAll: rows = []
    case .select(let name):
      guard let index = tabs.firstIndex(of: name) else { return nil }
      selected = index
      rows.removeAll { [base] in $0.layer >= base }
    case .reveal(let id):
      guard let row = rows.first(where: { $0.id == id.number }) else { return nil }
      let stack = ids(in: row.layer)
      remove(stack.drop { $0 != row.id }.dropFirst())
      rows.removeAll { [base] in $0.layer >= base && $0.layer > row.layer }
      if row.layer < base { selected = row.layer }
    }
    return before.union(added.map { [$0] } ?? []).subtracting(rows.map(\.id))
  }

  private mutating func remove(_ ids: ArraySlice<Int>) {
    rows.removeAll { ids.contains($0.id) }
  }
}
