#if SQLite
import CommandRunning
import Foundation
import Interception
import SwitchyardTesting
import Testing

@testable import LocalStores

@Suite("The stores of accounts", .timeLimit(.minutes(5)))
struct AccountStoresTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  @Test("K2: An account never reads what another one has stored, nor does the time without an account")
  func separation() async throws {
    let stores = fixture.stores()
    let accounts = [
      "ada", "Ada", "ada ", "", "a/../ada", "é", "e\u{301}", String(repeating: "x", count: 10_000),
    ]
    for account in accounts {
      let store = try await stores.store(of: account)
      #expect(try await store.value(Keys.theme) == "light")
      #expect(try await store.items(LocalQuery(Note.all)).isEmpty)
      try await store.set("theme of \(account.prefix(9))", for: Keys.theme)
      try await store.put(Note(id: 1, home: account.count), in: Note.all)
    }
    try await stores.close()
    let next = fixture.stores()
    for account in accounts {
      let store = try await next.store(of: account)
      #expect(try await store.value(Keys.theme) == "theme of \(account.prefix(9))")
      #expect(try await store.item(1, of: Note.all)?.home == account.count)
    }
    #expect(Set(fixture.databases).count == accounts.count)
    #expect(!fixture.files.contains { $0.contains("ada") })
  }

  @Test("K2: A file that was moved to the name of another account's is refused, and stays as it is")
  func moved() async throws {
    let stores = fixture.stores()
    for account in ["ada", "bob"] { try await stores.store(of: account).set(account, for: Keys.theme) }
    try await stores.close()
    let contents = fixture.databases.map { FileManager.default.contents(atPath: "\(fixture.path)/\($0)") }
    for (name, content) in zip(fixture.databases, contents.reversed()) {
      try content?.write(to: URL(filePath: "\(fixture.path)/\(name)"))
    }
    for account in ["ada", "bob"] {
      let error = await #expect(throws: LocalStoreError.self) {
        try await fixture.stores().store(of: account)
      }
      #expect(error?.kind == .file(.foreign))
    }
    #expect(
      fixture.databases.map { FileManager.default.contents(atPath: "\(fixture.path)/\($0)") }
        == contents.reversed())
  }

  @Test(
    "K2: A logout removes every byte of the account: the file, its log, free pages and damaged files",
    arguments: [false, true])
  func removal(isOpen: Bool) async throws {
    let stores = fixture.stores()
    let store = try await stores.store(of: "ada")
    let file = try #require(fixture.databases.first)
    for id in 1...50 { try await store.put(Note(id: id, home: 1, text: "MARK-OF-ADA"), in: Note.all) }
    for id in 1...40 { try await store.remove(id, of: Note.all) }
    try await store.put(Note(id: 1, home: 1, text: "MARK-OF-ADA"), in: Note.drafts)
    try await stores.store(of: "bob").set("MARK-OF-BOB", for: Keys.theme)
    if !isOpen { try await stores.close() }
    // What other starts may have left.
    for ending in [".damaged-1699999999", ".damaged-1699999999-wal", ".salvage", ".salvage-wal", ".damaged"] {
      try Data("MARK-OF-ADA".utf8).write(to: URL(filePath: "\(fixture.path)/\(file)\(ending)"))
    }
    #expect(try fixture.contains("MARK-OF-ADA"))
    let others = isOpen ? stores : fixture.stores()
    try await others.remove("ada")
    #expect(try !fixture.contains("MARK-OF-ADA"))
    #expect(!fixture.files.contains { $0.hasPrefix(file) })
    #expect(try await others.store(of: "bob").value(Keys.theme) == "MARK-OF-BOB")
    try await others.remove("bob")
    #expect(fixture.files.isEmpty)
    if isOpen {
      let error = await #expect(throws: LocalStoreError.self) { try await store.value(Keys.theme) }
      #expect(error?.kind == .file(.closed))
    }
    #expect(try await others.store(of: "ada").items(LocalQuery(Note.all)).isEmpty)
  }

  @Test("An item that was removed leaves no byte in the file once the store is closed")
  func removedItem() async throws {
    let stores = fixture.stores()
    let store = try await stores.store(of: "ada")
    for id in 1...30 { try await store.put(Note(id: id, home: 1, text: "MARK-\(id)-END"), in: Note.all) }
    try await store.remove(17, of: Note.all)
    try await stores.close()
    #expect(try !fixture.contains("MARK-17-END"))
    #expect(try fixture.contains("MARK-18-END"))
  }

  @Test("A wipe that a process has begun is finished when the folder is used next, whichever account that is")
  func unfinishedWipe() async throws {
    let stores = fixture.stores()
    for account in ["ada", "bob"] {
      try await stores.store(of: account).set("MARK-\(account)", for: Keys.theme)
    }
    try await stores.close()
    let file = try #require(
      try fixture.databases.first {
        try Data(contentsOf: URL(filePath: "\(fixture.path)/\($0)")).firstRange(of: Data("MARK-ada".utf8))
          != nil
      })
    try Data().write(to: URL(filePath: "\(fixture.path)/\(file).wiping"))
    _ = try await fixture.stores().store(of: "bob")
    #expect(try !fixture.contains("MARK-ada"))
    #expect(!fixture.files.contains { $0.hasPrefix(file) })
    #expect(try fixture.contains("MARK-bob"))
  }

  @Test("A second process gets an error, and can't remove the account")
  func occupied() async throws {
    let first = fixture.stores()
    try await first.store(of: "ada").set("dark", for: Keys.theme)
    // Locks on a file exclude two openings of one process just as those of two processes.
    let second = fixture.stores()
    for _ in 0..<2 {
      let opening = await #expect(throws: LocalStoreError.self) { try await second.store(of: "ada") }
      #expect(opening?.kind == .file(.occupied))
      #expect(opening?.description.contains("perhaps in another process") == true)
      let removal = await #expect(throws: LocalStoreError.self) { try await second.remove("ada") }
      #expect(removal?.kind == .file(.occupied))
    }
    #expect(try await first.store(of: "ada").value(Keys.theme) == "dark")
    try await first.close()
    #expect(try await second.store(of: "ada").value(Keys.theme) == "dark")
  }

  @Test("An account without a lasting name has no store, and the error doesn't quote it")
  func unnamed() async throws {
    for account in ["\u{0}login 12ab-34cd", "ada\u{0}"] {
      let error = await #expect(throws: LocalStoreError.self) {
        try await fixture.stores().store(of: account)
      }
      #expect(error?.kind == .account)
      #expect(error?.description.contains("12ab") == false)
    }
  }

  @Test("A folder with a null byte, or that another user could have put there, is not used")
  func folders() async throws {
    let null = AccountStores(folder: fixture.path + "\u{0}x", schema: Note.schema)
    await #expect(throws: LocalStoreError.self) { try await null.store(of: "ada") }
    try FileManager.default.createDirectory(
      atPath: fixture.folder.url.path + "/data", withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: fixture.path))
    let error = await #expect(throws: LocalStoreError.self) { try await fixture.stores().store(of: "ada") }
    guard case .file = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("A closed store can't be used, and the account's next store has what was written")
  func closed() async throws {
    let stores = fixture.stores()
    let store = try await stores.store(of: "ada")
    try await store.set("x", for: Keys.draft)
    try await stores.close()
    for _ in 0..<2 {
      let error = await #expect(throws: LocalStoreError.self) { try await store.set("y", for: Keys.draft) }
      #expect(error?.kind == .file(.closed))
    }
    #expect(try await stores.store(of: "ada").value(Keys.draft) == "x")
  }

  // MARK: Export

  private func document(_ bytes: [UInt8]) throws -> NSDictionary {
    try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary)
  }

  @Test(
    "An export has everything of one account as JSON, whether it is open, waits to be written, or is closed")
  func export() async throws {
    let stores = fixture.stores()
    let store = try await stores.store(of: "a\"da")
    try await store.set("dark", for: Keys.theme)
    try await store.set(nil, for: Keys.draft)
    try await store.put(Note(id: 1, home: 2, text: "a\nb"), in: Note.all)
    try await store.put(Note(id: 2, home: 2), in: Note.all)
    try await store.flush()
    try await store.set("Dear agent", for: Keys.draft)
    try await store.put(Note(id: 3, home: 3), in: Note.drafts)
    try await stores.store(of: "bob").set("MARK-OF-BOB", for: Keys.theme)
    let expected: NSDictionary = [
      "account": "a\"da", "version": 1, "values": ["theme": "dark", "draft": "Dear agent"],
      "collections": [
        "notes": [["id": 1, "home": 2, "text": "a\nb"], ["id": 2, "home": 2, "text": ""]],
        "drafts": [["id": 3, "home": 3, "text": ""]],
      ],
    ]
    #expect(try document(await store.export()) == expected)
    #expect(try document(await stores.export("a\"da")) == expected)
    try await stores.close()
    #expect(try document(await stores.export("a\"da")) == expected)
    let nothing: NSDictionary = ["account": "eve", "version": 1, "values": [:], "collections": [:]]
    #expect(try document(await stores.export("eve")) == nothing)
    #expect(fixture.databases.count == 2)
  }
}
#endif
