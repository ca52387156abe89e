#if SQLite
import Interception
import LocalStores

extension CrashRun {
  /// Uses the local store of an account; the path says how.
  ///
  /// - `/write` reports what the store has, then writes items, each together with their number, and values in
  ///   the background.
  /// - `/migrate` writes items at the first start, migrates them at the second one, and reports them at the
  ///   third one by the version that the file has.
  /// - `/wipe` writes items at the first start, wipes the account at the second one, and reports what is left
  ///   at the third one.
  func useLocalStore() async throws {
    do {
      switch path {
      case "/migrate": try await migrate()
      case "/wipe": try await wipe()
      default: try await write()
      }
    } catch let error as LocalStoreError { Self.refuse(error) }
  }

  private static func refuse(_ error: LocalStoreError) {
    if case .file(let fault) = error.kind { say("refused \(fault)") } else { say("refused \(error.kind)") }
  }

  private func stores(_ schema: LocalSchema = LocalRun.schema) -> AccountStores {
    AccountStores(folder: folder + "/local", schema: schema)
  }

  private func write() async throws {
    let stores = stores()
    let store = try await stores.store(of: "ada")
    let (names, count, pair) = try await store.transaction { data in
      (
        try data.items(LocalQuery(LocalRun.items)).map(\.id), try data.value(LocalRun.count),
        (try data.value(LocalRun.left), try data.value(LocalRun.right))
      )
    }
    if count != names.count { Self.say("refused half") }
    if pair.0 != pair.1 { Self.say("refused torn") }
    for name in names { Self.say("recorded found.\(name)") }
    Self.say("recorded pair.\(pair.0)")
    for number in 0..<events {
      let name = "\(run).\(number)"
      do {
        try await store.transaction { data in
          try data.put(LocalRun.Item(id: name, text: String(repeating: name, count: 100)), in: LocalRun.items)
          try data.set(try data.value(LocalRun.count) + 1, for: LocalRun.count)
        }
        acknowledge("now.\(name)")
        let pair = run * 1_000 + number
        try await store.transaction { data in
          try data.set(pair, for: LocalRun.left)
          try data.set(pair, for: LocalRun.right)
        }
        guard number % 3 == 2 else { continue }
        try await stores.flush()
        acknowledge("flushed.\(pair)")
      } catch let error as LocalStoreError { Self.refuse(error) }
    }
    try await stores.close()
    if events > 0 { Self.say("recorded flushed.\(run * 1_000 + events - 1)") }
  }

  private func migrate() async throws {
    switch run {
    case 1:
      let store = try await stores(LocalRun.formerSchema).store(of: "ada")
      for number in 0..<events {
        try await store.put(LocalRun.FormerItem(id: "\(number)"), in: LocalRun.formerItems)
      }
    case 2: _ = try await stores().store(of: "ada")
    default:
      await reportFormer()
      let store = try await stores().store(of: "ada")
      for item in try await store.items(LocalQuery(LocalRun.items)) {
        Self.say(item.text == "was \(item.id)" ? "recorded new.\(item.id)" : "refused half")
      }
    }
  }

  /// Reports what the former version reads, unless the file is of the new one.
  private func reportFormer() async {
    do throws(LocalStoreError) {
      let former = stores(LocalRun.formerSchema)
      let store = try await former.store(of: "ada")
      let items = try await store.items(LocalQuery(LocalRun.formerItems))
      for item in items { Self.say("recorded former.\(item.id)") }
      try await former.close()
    } catch {
      if error.kind != .file(.foreign) { Self.refuse(error) }
    }
  }

  private func wipe() async throws {
    let stores = stores()
    if run == 1 {
      let store = try await stores.store(of: "ada")
      for number in 0..<events {
        try await store.put(LocalRun.Item(id: "\(number)", text: LocalRun.secret), in: LocalRun.items)
      }
      return
    }
    if run == 2 { return try await stores.remove("ada") }
    _ = try await stores.store(of: "bob")
    let store = try await stores.store(of: "ada")
    for item in try await store.items(LocalQuery(LocalRun.items)) { Self.say("recorded found.\(item.id)") }
  }
}

/// What the program stores.
private enum LocalRun {
  struct Item: Codable, Identifiable, Sendable {
    var id: String
    var text: String
  }

  struct FormerItem: Codable, Identifiable, Sendable { var id: String }

  static let secret = "MARKER-OF-ADA"
  static let byText = LocalIndex("text") { (item: Item) in item.text }
  static let items = LocalCollection("items", indexes: byText)
  static let formerItems = LocalCollection<FormerItem>("items")
  static let count = LocalKey("count", default: 0)
  static let left = LocalKey("left", default: 0, written: .atBackground)
  static let right = LocalKey("right", default: 0, written: .atBackground)

  static let formerSchema = LocalSchema(collections: formerItems)
  static let schema = LocalSchema(
    collections: items,
    migrations: [
      LocalMigration { data in
        for former in try data.items(LocalQuery(formerItems)) {
          try data.put(Item(id: former.id, text: "was \(former.id)"), in: items)
        }
      }
    ])
}
#endif
