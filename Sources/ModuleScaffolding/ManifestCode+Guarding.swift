extension ManifestCode {
  /// Returns the name of the app's target that uses the plugin ModuleBoundary, if the manifest shows one.
  func guardingApp(of modules: [String], targets: [KnownTarget]) -> String? {
    let guarded = Set(guardedTargets())
    let apps = targets.filter { target in
      guard guarded.contains(target.name), !target.isTest, !modules.contains(target.name) else {
        return false
      }
      if !target.dependencies.isDisjoint(with: modules) { return true }
      // The app does not depend on its modules yet. If several targets use the plugin, or if the target is
      // not in Sources, it may itself be a module.
      return guarded.count == 1 && (modules.isEmpty || ["", "Sources"].contains(target.neighbourhood))
    }
    return apps.map(\.name).min()
  }

  /// Returns the names of the targets whose declarations list the plugin.
  private func guardedTargets() -> [String] {
    var openings: [Int] = []
    var names: [String] = []
    for offset in bytes.indices {
      if let text = literal(at: offset) {
        guard text == "ModuleBoundary", let use = openings.last, callee(ofCallAt: use) == "plugin" else {
          continue
        }
        let declaration = openings.last { ["target", "executableTarget"].contains(callee(ofCallAt: $0)) }
        if let declaration, let name = firstName(inCallAt: declaration) { names.append(name) }
      }
      guard isCode(at: offset) else { continue }
      switch bytes[offset] {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): openings.append(offset)
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): _ = openings.popLast()
      default: continue
      }
    }
    return names
  }

  /// Returns the contents of the single-line string literal that begins at an offset, if there is one.
  private func literal(at offset: Int) -> String? {
    let quote = UInt8(ascii: "\"")
    guard offset < bytes.count, bytes[offset] == quote, !isCode(at: offset),
      offset == 0 || isCode(at: offset - 1)
    else { return nil }
    let rest = bytes[(offset + 1)...]
    return rest.firstIndex(of: quote).map { String(decoding: rest[..<$0], as: UTF8.self) }
  }

  /// Returns the identifier before an opening bracket.
  private func callee(ofCallAt opening: Int) -> String {
    let word = bytes[..<opening].reversed().prefix { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      default: false
      }
    }
    return String(decoding: word.reversed(), as: UTF8.self)
  }

  /// Returns the string that the first argument of a call passes for `name:`.
  private func firstName(inCallAt opening: Int) -> String? {
    let label = skipSpace(from: opening + 1)
    guard bytes[label...].starts(with: "name:".utf8) else { return nil }
    return literal(at: skipSpace(from: label + "name:".utf8.count))
  }
}
