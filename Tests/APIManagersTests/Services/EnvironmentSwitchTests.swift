import APIManagers
import CommandRunning
import Foundation
import Synchronization
import Testing

@Suite struct EnvironmentSwitchTests {
  /// A store that fails at will, and counts its writes.
  final class Memory: EnvironmentStore {
    struct Full: Error {}
    private let state = Mutex<(choice: EnvironmentChoice?, isFull: Bool, writes: Int)>((nil, false, 0))

    var choice: EnvironmentChoice? { state.withLock { $0.choice } }
    var writes: Int { state.withLock { $0.writes } }
    func fill(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }

    func read() throws -> EnvironmentChoice? {
      try state.withLock { state in
        if state.isFull { throw Full() }
        return state.choice
      }
    }

    func write(_ choice: EnvironmentChoice) throws {
      try state.withLock { state in
        state.writes += 1
        if state.isFull { throw Full() }
        state.choice = choice
      }
    }
  }

  static func temporaryPath() -> String {
    FileManager.default.temporaryDirectory.appending(path: "environments-\(UUID().uuidString).json").path
  }

  @Test("A path with a null byte is refused, and no file with the name before it is read or written")
  func nullByte() throws {
    let path = Self.temporaryPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("kept".utf8).write(to: URL(filePath: path))
    let file = EnvironmentFile(path: path + "\0.json")
    let reading = #expect(throws: (any Error).self) { try file.read() }
    #expect(reading.map { "\($0)".contains("null byte") } == true)
    let environments = EnvironmentSwitch(storedIn: file)
    environments.use(.develop, for: "estate")
    #expect(environments.storeError != nil)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "kept")
  }

  @Test("The choice of environments survives a restart, in a file")
  func restart() throws {
    let path = Self.temporaryPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let first = EnvironmentSwitch(storedIn: EnvironmentFile(path: path))
    #expect(first.environment(of: "estate") == .release)
    #expect(first.storeError == nil)
    first.use(.releaseCandidate)
    first.use(.develop, for: "estate")
    first.use(address: ServiceAddress(authority: "127.0.0.1:1"), for: "estate")

    let second = EnvironmentSwitch(storedIn: EnvironmentFile(path: path))
    #expect(second.environment(of: "estate") == .develop)
    #expect(second.environment(of: "weather") == .releaseCandidate)
    // An address known only at run time is not stored.
    #expect(second.address(of: .estate) == Service.estate.develop)
    second.use(nil, for: "estate")
    #expect(
      EnvironmentSwitch(storedIn: EnvironmentFile(path: path)).environment(of: "estate")
        == .releaseCandidate)
  }

  @Test(
    "A damaged file is reported, and the app starts with its own environment",
    arguments: ["", "[]", #"{"services": {"estate": "moon"}}"#, String(repeating: "[", count: 100_000)])
  func damaged(text: String) throws {
    let path = Self.temporaryPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(text.utf8).write(to: URL(filePath: path))
    let environments = EnvironmentSwitch(.develop, storedIn: EnvironmentFile(path: path))
    let copy = path + ".damaged-1"
    defer { try? FileManager.default.removeItem(atPath: copy) }
    let error = try #require(environments.storeError as? EnvironmentFileError)
    #expect(error.description.contains(copy))
    #expect(environments.environment(of: "estate") == .develop)
    environments.use(.release)
    #expect(try String(contentsOfFile: copy, encoding: .utf8) == text)
    #expect(environments.storeError == nil)
    #expect(
      EnvironmentSwitch(.develop, storedIn: EnvironmentFile(path: path)).environment(of: "x") == .release)
  }

  // A second name of a file of the user's own has the user's own choice. A FIFO may be a mistake, and is not
  // replaced.
  @Test(
    "A planted file does not choose the servers, and is replaced by a new one",
    arguments: PlantedFile.allCases.filter { $0 != .hardLink && $0 != .fifo })
  func planted(plant: PlantedFile) throws {
    let folder = try TemporaryFolder(prefix: "environments")
    let path = folder.url.appending(path: "environments.json").path
    let precious = folder.url.appending(path: "precious").path
    EnvironmentSwitch(storedIn: EnvironmentFile(path: path)).use(.develop)
    try plant.make(at: path, precious: precious)
    let before = try Data(contentsOf: URL(filePath: precious))
    let environments = EnvironmentSwitch(storedIn: EnvironmentFile(path: path))
    #expect(environments.environment(of: "estate") == .release)
    let text = environments.storeError.map { "\($0)" } ?? ""
    #expect(
      text.contains(path) && text.contains(plant.rawValue)
        && text.contains("it was set aside as \(path).damaged-1"))
    environments.use(.releaseCandidate)
    #expect(environments.storeError == nil)
    let next = EnvironmentSwitch(storedIn: EnvironmentFile(path: path))
    #expect(next.environment(of: "estate") == .releaseCandidate)
    #expect(try Data(contentsOf: URL(filePath: precious)) == before)
    #expect(!FileManager.default.fileExists(atPath: precious + ".none"))
  }

  @Test("A choice that can't be read for a passing reason keeps its name, and is read later")
  func passingFault() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder(prefix: "environments")
      let file = EnvironmentFile(path: folder.url.appending(path: "environments.json").path)
      try file.write(EnvironmentChoice(environment: .develop))
      let limit = DescriptorLimit()
      let error = #expect(throws: EnvironmentFileError.self) { try file.read() }
      limit.end()
      #expect(error?.description.contains("it keeps its name") == true)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["environments.json"])
      let choice = try file.read()
      #expect(choice?.environment == .develop)
    }
  }

  @Test("The largest choice that is written is read, and a larger one is refused and changes nothing")
  func limits() throws {
    let path = Self.temporaryPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let file = EnvironmentFile(path: path)
    func choice(_ length: Int) -> EnvironmentChoice {
      EnvironmentChoice(
        environment: .release,
        services: [String(repeating: "s", count: length): .develop, "\u{0}\"\n": .release])
    }
    let largest = choice(65_000)
    try file.write(largest)
    #expect(try file.read() == largest)
    #expect(throws: EnvironmentFileError.self) { try file.write(choice(66_000)) }
    #expect(try file.read() == largest)
  }

  @Test("A write that fails is reported, and the choice is used until the app ends")
  func failedWrite() {
    let memory = Memory()
    let environments = EnvironmentSwitch(.release, store: memory)
    memory.fill(true)
    environments.use(.develop)
    #expect(environments.storeError is Memory.Full)
    #expect(environments.environment(of: "estate") == .develop)
    #expect(memory.choice == nil)
    memory.fill(false)
    environments.use(.releaseCandidate, for: "estate")
    #expect(environments.storeError == nil)
    #expect(
      memory.choice == EnvironmentChoice(environment: .develop, services: ["estate": .releaseCandidate]))
  }

  @Test("After concurrent switches the store has the choice that is in use", .timeLimit(.minutes(5)))
  func concurrency() async {
    let memory = Memory()
    let environments = EnvironmentSwitch(.release, store: memory)
    await withTaskGroup { group in
      for number in 0..<200 {
        group.addTask {
          environments.use(DeploymentEnvironment.allCases[number % 3], for: "service \(number % 7)")
        }
      }
    }
    for number in 0..<7 {
      #expect(
        memory.choice?.services["service \(number)"] == environments.environment(of: "service \(number)"))
    }
    #expect((1...200).contains(memory.writes))
  }
}
