import CommandRunning
import Foundation
import Interception
import Mediation
import SwitchyardTesting
import Synchronization
import Testing

@testable import Deployment

/// Processes of one app on one device.
@Suite(.timeLimit(.minutes(5)))
struct DeploymentsTests {
  /// Starts a process, checks what it uses, and lets it die.
  private func die(
    _ device: Device, with version: UInt64?, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let deployments = try await device.start()
    #expect(deployments.version == version, sourceLocation: sourceLocation)
    #expect(device.content.withLock { $0 } == Device.parts(version), sourceLocation: sourceLocation)
  }

  @Test("K5: an app that dies twice right after a change starts with the version before, and says so")
  func safeStart() async throws {
    let device = try await Device.withVersion1()
    do {
      let deployments = try await device.start()
      try await deployments.receive(Device.document(2))
      #expect(deployments.version == 2)
    }
    try await die(device, with: 2)
    device.observed.withLock { $0 = [] }
    let third = try await device.start()
    #expect(third.version == 1)
    #expect(device.content.withLock { $0 } == Device.parts(1))
    let kinds: [DeploymentEvent.Kind] = [.died, .heldBack, .applied]
    #expect(device.observed.withLock { $0.map(\.kind) } == kinds)
    #expect(third.events.suffix(3).map(\.kind) == [.died, .died, .heldBack])
    #expect(third.events.last?.version == 2)
    // The server still has it; it is refused with the reason and the time.
    let refusal = await #expect(throws: DeploymentError.self) {
      try await third.receive(Device.document(2))
    }
    #expect(
      "\(try #require(refusal))".contains("the app has died with it, so it is held back until 17802756"))
    // A newer one is tried at once, also with the old content.
    try await third.receive(Device.document(3))
    #expect(third.version == 3)
  }

  @Test(
    "Ends in the background, orderly ends, and an app that has lived for a minute are no deaths",
    arguments: ["background", "end", "minute", "confirmed later"])
  func noDeaths(how: String) async throws {
    let device = try await Device.withVersion1()
    do {
      let deployments = try await device.start()
      try await deployments.receive(Device.document(2))
      deployments.end()
    }
    for _ in 1...5 {
      let deployments = try await device.start()
      #expect(deployments.version == 2)
      switch how {
      case "background":
        deployments.follow(.background)
        deployments.follow(.foreground)
        deployments.follow(.background)
      case "end": deployments.end()
      case "minute":
        try await device.clock.waitForSleepers(1)
        device.clock.advance(by: .seconds(60))
        let store = try StartStore(folder: device.path, verifier: Documents.verifier())
        try await waitUntil("the start is closed") {
          try store.ledger(app: "1.0", at: Documents.now, isOwner: false).entries.first?.openStart == nil
        }
      default:
        deployments.confirm()
        try await device.clock.waitForSleepers(1)
        device.clock.advance(by: .seconds(10))
        try await waitUntil("the version is confirmed") { deployments.events.last?.kind == .confirmed }
        return
      }
    }
    #expect(!device.observed.withLock { $0.contains { $0.kind == .died } })
  }

  @Test("An app that returns to the foreground and dies there has died")
  func diesInForeground() async throws {
    let device = try await Device.withVersion1()
    for expected in [2, 2, 1] as [UInt64] {
      let deployments = try await device.start()
      if device.observed.withLock({ !$0.contains { $0.version == 2 } }) {
        try await deployments.receive(Device.document(2))
      }
      #expect(deployments.version == expected)
      deployments.follow(.background)
      deployments.follow(.foreground)
    }
  }

  @Test("A document that is received in the background is on trial once the app is in the foreground")
  func receivedInBackground() async throws {
    let device = try await Device.withVersion1()
    do {
      let deployments = try await device.start()
      deployments.follow(.background)
      try await deployments.receive(Device.document(2))
      #expect(deployments.version == 2)
    }
    // The system has ended the app.
    #expect(!device.observed.withLock { $0.contains { $0.kind == .died } })
    for expected in [2, 2, 1] as [UInt64] { try await die(device, with: expected) }
  }

  @Test("K5: an updated app that dies twice of the confirmed document starts without it, and tries it again")
  func updatedApp() async throws {
    let device = try await Device.withVersion1()
    for expected in [1, 1, nil] as [UInt64?] {
      let deployments = try await device.start(app: "2.0")
      #expect(deployments.version == expected)
      #expect(device.content.withLock { $0 } == Device.parts(expected))
    }
    device.wall.withLock { $0 = $0.advanced(by: .seconds(3_600)) }
    let deployments = try await device.start(app: "2.0")
    #expect(deployments.version == 1 && deployments.events.last?.kind == .triedAgain)
  }

  @Test("A word that came before the ten seconds, and a crash after it, do not confirm a version")
  func earlyWord() async throws {
    let device = try await Device.withVersion1()
    do {
      let deployments = try await device.start()
      try await deployments.receive(Device.document(2))
      deployments.end()
    }
    for expected in [2, 2, 1] as [UInt64] {
      let deployments = try await device.start()
      #expect(deployments.version == expected)
      device.clock.advance(by: .seconds(9))
      deployments.confirm()
    }
  }

  @Test("A document that is refused changes nothing in memory and on disk, and the observer hears why")
  func refused() async throws {
    let device = try await Device.withVersion1()
    let deployments = try await device.start()
    let files = device.files
    let store = try StartStore(folder: device.path, verifier: Documents.verifier())
    let record = try store.recordFile.bytes(upTo: 1 << 20)
    let wrong = try Device.document(2, wrong: true)
    var unknown = Documents.draft(version: 2)
    unknown.setPart("other", to: [])
    let refusals: [(bytes: [UInt8], reason: String)] = [
      (wrong, "Deployment document 2, part \"price\", line 1: should not be \"wrong\""),
      (try Documents.signed(unknown), "part \"other\": the app has no such part"),
      (Array(wrong.dropLast()), "only a part of it arrived"),
      ([], "its first line should be"),
      (try Documents.signed(version: 1), "version 1 was accepted before"),
    ]
    for (bytes, reason) in refusals {
      let thrown = await #expect(throws: DeploymentError.self) { try await deployments.receive(bytes) }
      let error = try #require(thrown)
      #expect("\(error)".contains(reason))
      let last = device.observed.withLock { $0.last }
      #expect(last?.kind == .refused && last?.detail == "\(error)")
    }
    #expect(deployments.version == 1 && device.content.withLock { $0 } == Device.parts(1))
    #expect(device.files == files)
    #expect(try store.recordFile.bytes(upTo: 1 << 20) == record)
  }

  @Test("The document in use is received again without effect")
  func same() async throws {
    let device = try await Device.withVersion1()
    let deployments = try await device.start()
    #expect(try await deployments.receive(Device.document(1)) == false)
    #expect(try await deployments.receive(Device.document(2)))
    #expect(try await deployments.receive(Device.document(2)) == false)
    #expect(device.observed.withLock { $0.last?.kind } == .applied)
  }

  @Test("A document without a part resets it, and with one without any, the app works as it was built")
  func resets() async throws {
    let device = try await Device.withVersion1()
    let deployments = try await device.start()
    try await deployments.receive(Documents.signed(version: 2, parts: ["price": "p2"]))
    #expect(device.content.withLock { $0 } == ["price": "p2"])
    try await deployments.receive(Documents.signed(version: 3))
    #expect(device.content.withLock { $0 } == [:])
    let last = device.observed.withLock { $0.last }
    #expect(last?.description == "Deployment 3: applied. It has nothing.")
  }

  @Test("Both the stored documents and the record that a killed process left decide: the record's count")
  func bothFiles() async throws {
    let device = try await Device.withVersion1()
    // A document that was stored, but not recorded.
    let store = try StartStore(folder: device.path, verifier: Documents.verifier())
    let bytes = try Device.document(2)
    try store.write(bytes, of: StartStore.version(of: bytes, number: 2))
    try Data("half".utf8).write(to: device.folder.url.appending(path: "deployment-3-00.document.new"))
    let deployments = try await device.start()
    #expect(deployments.version == 1)
    #expect(device.files.filter { $0.hasPrefix("deployment-") }.count == 1)
  }

  @Test(
    "A record that is torn, empty, foreign or missing is begun anew from the documents; nothing older returns",
    arguments: ["torn", "empty", "foreign", "missing"])
  func damagedRecord(how: String) async throws {
    let device = try await Device.withVersion1()
    do {
      let deployments = try await device.start()
      try await deployments.receive(Device.document(2))
      device.confirm(deployments)
      deployments.end()
    }
    let file = device.folder.url.appending(path: "deployment.starts")
    let bytes = try Data(contentsOf: file)
    switch how {
    case "torn": try bytes.prefix(bytes.count / 2).write(to: file)
    case "empty": try Data().write(to: file)
    case "foreign": try Data("switchyard deployment starts 2".utf8).write(to: file)
    default: try FileManager.default.removeItem(at: file)
    }
    let deployments = try await device.start()
    #expect(deployments.version == 2)
    #expect(deployments.events.first?.kind == .rebuilt)
    #expect(device.files.contains { $0.hasSuffix(".damaged-1") } == (how != "missing"))
    let error = await #expect(throws: DeploymentError.self) {
      try await deployments.receive(Device.document(1))
    }
    #expect("\(try #require(error))".contains("version 2 was accepted before"))
  }

  @Test(
    "A document whose file is torn, missing or changed is not used, the one before is, and it can come again",
    arguments: ["torn", "missing", "changed"])
  func damagedDocument(how: String) async throws {
    let device = try await Device.withVersion1()
    do {
      let deployments = try await device.start()
      try await deployments.receive(Device.document(2))
      deployments.end()
    }
    let file = try #require(device.file { $0.hasPrefix("deployment-2-") })
    switch how {
    case "torn": try Data(contentsOf: file).dropLast(10).write(to: file)
    case "missing": try FileManager.default.removeItem(at: file)
    default: try Data(Device.document(2, wrong: true)).write(to: file)
    }
    let deployments = try await device.start()
    #expect(deployments.version == 1)
    #expect(deployments.events.last?.kind == .unusable && deployments.events.last?.version == 2)
    #expect(try await deployments.receive(Device.document(2)))
    #expect(deployments.version == 2 && device.content.withLock { $0 } == Device.parts(2))
  }

  @Test("A document whose key is no longer trusted is not used, and does not block the versions below it")
  func leakedKey() async throws {
    let device = try await Device.withVersion1()
    do {
      let deployments = try await device.start()
      try await deployments.receive(Device.document(.max, by: "2025"))
      device.confirm(deployments)
      deployments.end()
    }
    let deployments = try await device.start(trusting: ["2024", "2026"])
    #expect(deployments.version == 1)
    #expect(try await deployments.receive(Device.document(2)))
  }

  @Test("A clock that is years off changes nothing about stored documents", arguments: [-10, 10])
  func wrongClock(years: Int) async throws {
    let device = try await Device.withVersion1()
    device.wall.withLock { $0 = $0.advanced(by: .seconds(years * 365 * 86_400)) }
    let deployments = try await device.start()
    #expect(deployments.version == 1)
    await #expect(throws: DeploymentError.self) { try await deployments.receive(Device.document(2)) }
    #expect(deployments.version == 1)
  }

  @Test("Two processes do not share a folder: the second uses what is confirmed, and receives nothing")
  func twoProcesses() async throws {
    let device = try await Device.withVersion1()
    let first = try await device.start()
    try await first.receive(Device.document(2))
    let second = try await device.start(isAlone: false)
    #expect(second.version == 1 && device.observed.withLock { $0.contains { $0.kind == .unrecorded } })
    let error = await #expect(throws: DeploymentError.self) {
      try await second.receive(Device.document(3))
    }
    #expect("\(try #require(error))".contains("another process uses it"))
    #expect(first.version == 2)
  }

  @Test("A folder that can't be written starts the app without the version on trial, and says why")
  func unwritable() async throws {
    let device = try Device()
    let folder = device.path + "/missing"
    let deployments = try Deployments(folder: folder, verifier: Documents.verifier(), parts: []) { event in
      device.observed.withLock { $0.append(event) }
    }
    #expect(deployments.version == nil)
    #expect(device.observed.withLock { $0.map(\.kind) } == [.unrecorded])
    let error = await #expect(throws: DeploymentError.self) {
      try await deployments.receive(Documents.signed(version: 1))
    }
    #expect("\(try #require(error))".contains("No such file or directory"))
  }

  @Test("Arguments that can't be used are refused with their names")
  func arguments() throws {
    let part = DeploymentPart("flags") { _ in
      {}
    } reset: {
    }
    #expect(
      Documents.refusal {
        _ = try Deployments(folder: "/tmp", verifier: Documents.verifier(), parts: [part, part])
      } == "Two parts have the name \"flags\"; rename one.")
    #expect(
      Documents.refusal {
        _ = try Deployments(folder: "/tmp\0/x", verifier: Documents.verifier(), parts: [])
      }?.contains("null byte") == true)
  }
}
