package import Interception
import Synchronization

/// The advertisements of a dispatcher that outlast the process: read from its file once, and written to it.
///
/// All event loops of the dispatcher share it. They hand over changes, and no loop reads or writes the file.
package final class AlternativeServiceStore: Sendable {
  private struct State {
    var contents: StoredAlternatives
    /// The number of changes of the network.
    var network = 0
    /// The number of changes of the contents.
    var version = 0
    var isScheduled = false
  }

  /// What is known of the file; the lock is held while it is read and written.
  private struct Writing {
    /// The version that was written last.
    var version = 0
    var lastTime: Duration?
    /// Whether the file must not be written before it was read.
    var isUnread: Bool
    /// Whether the latest fault was reported, and no success followed.
    var hasFailed: Bool
  }

  /// The minimum time between two writes, unless the network changes.
  static let interval = Duration.seconds(5)

  private let file: AlternativeServiceFile
  private let time: TimeSource
  private let state: Mutex<State>
  private let writing: Mutex<Writing>

  /// Creates a store with the contents of a file, which need not exist.
  package init(_ file: AlternativeServiceFile, time: TimeSource) {
    self.file = file
    self.time = time
    let found = Self.read(file, at: time.wallTime())
    state = Mutex(State(contents: found.contents))
    writing = Mutex(Writing(isUnread: found.isUnread, hasFailed: found.isUnread))
    if let fault = found.fault { file.onFault(fault) }
  }

  // MARK: The loops' side

  /// Returns the services by their origins and the names of their partitions, with the times at which they
  /// expire, and the number of the network.
  func services(at now: Duration) -> (services: AlternativeServices.Stored, network: Int) {
    let wall = time.wallTime()
    let (contents, network) = state.withLock { state in
      state.contents.removeInvalid(at: wall)
      return (state.contents.services, state.network)
    }
    var services: AlternativeServices.Stored = [:]
    for (key, service) in contents {
      let origin = WebOrigin(scheme: .https, host: key.host, port: key.port)
      let expiry = now + wall.duration(to: WallTime(secondsSince1970: service.expiry))
      services[origin, default: [:]][key.partition] = .init(
        port: service.port, expiry: expiry, storedExpiry: expiry)
    }
    return (services, network)
  }

  /// Takes over what a loop has learned; ignores what it has learned over an earlier network.
  func apply(_ changes: [AlternativeServices.Change], network: Int) {
    let now = time.wallTime()
    let isFirst = state.withLock { state in
      guard network == state.network else { return false }
      var hasChanged = false
      for change in changes {
        guard let key = StoredAlternatives.key(change.key.origin, partition: change.key.partition) else {
          continue
        }
        let service = change.service.map {
          StoredAlternatives.Service(port: $0.port, expiry: now.advanced(by: $0.lifetime).seconds)
        }
        if state.contents.set(service, for: key) { hasChanged = true }
      }
      return Self.noteChange(hasChanged, &state)
    }
    if isFirst { Task { await writeSoon() } }
  }

  // MARK: The dispatcher's side

  /// Stores an advertisement for requests without a partition, as a response with it would.
  package func set(host: String, port: Int, lifetime: Duration) {
    let origin = WebOrigin(scheme: .https, host: host, port: 443)
    let network = state.withLock { $0.network }
    apply(
      [.init(key: .init(partition: "", origin: origin), service: (port: port, lifetime: lifetime))],
      network: network)
  }

  /// Removes everything, from the file too, because the network has changed; returns its number.
  package func removeAll() -> Int {
    // The file may have advertisements that could not be read.
    let isUnread = writing.withLock { $0.isUnread }
    let (network, hasChanged) = state.withLock { state in
      state.network += 1
      let hasChanged = isUnread || !state.contents.isEmpty
      state.contents = StoredAlternatives()
      if hasChanged { state.version += 1 }
      return (state.network, hasChanged)
    }
    // Without the pause: the end of the process would leave what another network may not serve.
    if hasChanged { Task { write() } }
    return network
  }

  /// Writes the file, unless it has the latest version.
  package func write() {
    let faults = writing.withLock { writing in
      let (contents, version) = state.withLock { state in
        state.isScheduled = false
        state.contents.removeInvalid(at: time.wallTime())
        return (state.contents, state.version)
      }
      return version == writing.version ? [] : write(contents, version, &writing)
    }
    for fault in faults { file.onFault(fault) }
  }

  /// Counts a change; returns whether a write has to be scheduled for it.
  private static func noteChange(_ hasChanged: Bool, _ state: inout State) -> Bool {
    guard hasChanged else { return false }
    state.version += 1
    defer { state.isScheduled = true }
    return !state.isScheduled
  }

  private func writeSoon() async {
    if let last = writing.withLock({ $0.lastTime }) {
      let pause = last + Self.interval - time.now()
      // Nothing cancels this task.
      if pause > .zero { try? await time.sleep(for: pause) }
    }
    write()
  }

  // MARK: The file

  /// Returns the faults to report.
  private func write(
    _ contents: StoredAlternatives, _ version: Int, _ writing: inout Writing
  ) -> [AlternativeServiceFile.Fault] {
    writing.lastTime = time.now()
    var faults: [AlternativeServiceFile.Fault] = []
    if writing.isUnread {
      let found = Self.read(file, at: time.wallTime())
      // What can't be read was reported when that began.
      guard !found.isUnread else { return faults }
      writing.isUnread = false
      if let fault = found.fault { faults.append(fault) }
    }
    do throws(WholeFileFault) {
      // Not synchronized to disk: after a power failure a file that is not complete is ignored.
      try WholeFile(path: file.path).replace(with: contents.encoded, isSynchronized: false)
      (writing.version, writing.hasFailed) = (version, false)
    } catch {
      if !writing.hasFailed { faults.append(.init(path: file.path, reason: .unwritable(error.reason))) }
      writing.hasFailed = true
    }
    return faults
  }

  /// Reads a file.
  ///
  /// - Returns: The contents, the file's fault, and whether it must not be replaced, because it could not be
  ///   read for a reason that may pass, or has other content and keeps its name.
  private static func read(
    _ file: AlternativeServiceFile, at now: WallTime
  ) -> (contents: StoredAlternatives, isUnread: Bool, fault: AlternativeServiceFile.Fault?) {
    let whole = WholeFile(path: file.path)
    let reason: AlternativeServiceFile.Fault.Reason
    let isUnread: Bool
    do throws(WholeFileFault) {
      guard let bytes = try whole.bytes(upTo: StoredAlternatives.maximumSize) else {
        return (StoredAlternatives(), false, nil)
      }
      if let contents = StoredAlternatives(bytes, at: now) { return (contents, false, nil) }
      if StoredAlternatives.isOwn(bytes) {
        (reason, isUnread) = (.damaged, false)
      } else {
        let copy = whole.setAside()
        (reason, isUnread) = (.foreign(setAside: copy), copy == nil)
      }
    } catch {
      let copy = error.isPassing ? nil : whole.setAside()
      (reason, isUnread) = (.unreadable(error.reason, setAside: copy), copy == nil)
    }
    return (StoredAlternatives(), isUnread, .init(path: file.path, reason: reason))
  }
}
