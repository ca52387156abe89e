/// Finds the types that contain themselves, which Swift permits only with an indirection.
enum Containment {
  /// Marks unions as indirect and properties as boxed, until no type contains itself directly.
  static func resolve(_ declarations: inout [String: ModelDeclaration]) {
    let components = components(of: declarations)
    for (name, declaration) in declarations {
      guard case .union(var union) = declaration.kind, let own = components[name],
        union.cases.contains(where: { $0.type.containedModel.flatMap { components[$0] } == own })
      else { continue }
      union.isIndirect = true
      declarations[name]?.kind = .union(union)
    }
    let remaining = self.components(of: declarations)
    for (name, declaration) in declarations {
      guard case .structure(var structure) = declaration.kind, let own = remaining[name] else { continue }
      for index in structure.properties.indices
      where structure.properties[index].type.containedModel.flatMap({ remaining[$0] }) == own {
        structure.properties[index].isBoxed = true
      }
      declarations[name]?.kind = .structure(structure)
    }
  }

  private static func contained(in declaration: ModelDeclaration) -> [String] {
    switch declaration.kind {
    case .structure(let structure): structure.properties.compactMap(\.type.containedModel)
    case .union(let union): union.isIndirect ? [] : union.cases.compactMap(\.type.containedModel)
    case .enumeration, .alias: []
    }
  }

  /// Returns the number of the strongly connected component of each type (Tarjan), without recursion.
  ///
  /// A type that is alone in its component and doesn't contain itself has none of its own targets there.
  private static func components(of declarations: [String: ModelDeclaration]) -> [String: Int] {
    let edges = declarations.mapValues { contained(in: $0).filter { declarations[$0] != nil } }
    var (index, low, component): ([String: Int], [String: Int], [String: Int]) = ([:], [:], [:])
    var (stack, number): ([String], Int) = ([], 0)
    for root in declarations.keys.sorted() where index[root] == nil {
      var frames: [(name: String, next: Int)] = [(root, 0)]
      while let frame = frames.last {
        let name = frame.name
        if frame.next == 0 {
          index[name] = number
          low[name] = number
          number += 1
          stack.append(name)
        }
        let targets = edges[name] ?? []
        if frame.next < targets.count {
          frames[frames.count - 1].next += 1
          let target = targets[frame.next]
          if index[target] == nil {
            frames.append((target, 0))
          } else if component[target] == nil {
            low[name] = min(low[name] ?? 0, index[target] ?? 0)
          }
          continue
        }
        frames.removeLast()
        if let parent = frames.last?.name { low[parent] = min(low[parent] ?? 0, low[name] ?? 0) }
        guard low[name] == index[name] else { continue }
        while let last = stack.popLast() {
          component[last] = index[name]
          if last == name { break }
        }
      }
    }
    return component
  }
}
