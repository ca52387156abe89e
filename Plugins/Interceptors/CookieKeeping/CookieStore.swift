import HTTPTypes
public import Interception
import Synchronization

/// The cookies of an app, separate for each partition, in memory or also in a file.
///
/// A partition is the value of `RequestContext.partition`, usually the account: a cookie that one account
/// received is never sent on behalf of another one. Each partition has at most 50 cookies per domain and
/// 3,000 in all; those that were used least recently are evicted first. A cookie lasts at most 400 days.
///
/// ```swift
/// let store = CookieStore(file: "/var/lib/estate/cookies") { print($0) }
/// store.removeAll(in: "account-7")
/// ```
public final class CookieStore: Sendable {
  private struct State {
    var jars: [String: CookieJar] = [:]
    /// The number of changes of persistent cookies.
    var version: UInt64 = 0
    var removals = CookieRemovals()
  }

  private let state: Mutex<State>
  /// Whether the state has no cookie; read without the lock.
  private let isVacant: Atomic<Bool>
  /// The number of removals; read without the lock.
  private let removalCount = Atomic<UInt64>(0)
  private let suffixes: PublicSuffixes
  private let file: CookieFile?
  private let onFault: @Sendable (CookieFileError) -> Void
  private let time: TimeSource

  /// Creates an empty store in memory.
  ///
  /// - Parameters:
  ///   - publicSuffixes: The domains for which no cookie is accepted; by default there is no list, and a
  ///     cookie is sent only to the host that set it.
  ///   - time: The clock that determines when cookies expire.
  public init(publicSuffixes: PublicSuffixes = .hostsOnly, time: TimeSource = .system) {
    state = Mutex(State())
    isVacant = Atomic(true)
    suffixes = publicSuffixes
    file = nil
    onFault = { _ in }
    self.time = time
  }

  /// Creates a store with the persistent cookies of a file, and writes changes of them to the file.
  ///
  /// The file is replaced atomically, with permissions for its owner only, before a response that changed a
  /// persistent cookie is returned, so the cookie survives the end of the process. The file is not encrypted.
  /// Only one store may use it at a time. Session cookies, which have no expiry, are kept in memory only,
  /// as are those of a login without a name.
  ///
  /// A line that can't be read loses only its cookie. A file with such a line, or one that can't be read or
  /// trusted, gets another name, which the fault states; at most three such files are kept. They have
  /// cookies, too, which are removed with the others of their partition. If the reason may pass, such as too
  /// many open files, the file keeps its name; the store reads it when it is next used, and writes nothing
  /// before.
  ///
  /// - Parameters:
  ///   - path: The path of the file, in a folder that exists. The file is created when necessary. It has at
  ///     most 16 MiB: beyond that, cookies are evicted from the partition and the domain that have the most
  ///     bytes, the one used least recently first.
  ///   - publicSuffixes: The domains for which no cookie is accepted; by default there is no list, and a
  ///     cookie is sent only to the host that set it.
  ///   - time: The clock that determines when cookies expire.
  ///   - onFault: Receives the faults of the file, on the thread that reads or writes it. The store continues
  ///     in memory; without the cookies of the file that can't be read.
  public convenience init(
    file path: String, publicSuffixes: PublicSuffixes = .hostsOnly, time: TimeSource = .system,
    onFault: @escaping @Sendable (CookieFileError) -> Void
  ) {
    self.init(file: CookieFile(path: path), publicSuffixes: publicSuffixes, time: time, onFault: onFault)
  }

  /// Creates a store with a file.
  init(
    file: CookieFile, publicSuffixes: PublicSuffixes = .hostsOnly, time: TimeSource,
    onFault: @escaping @Sendable (CookieFileError) -> Void
  ) {
    var state = State()
    let now = time.wallTime()
    let (cookies, fault) = file.read()
    for (partition, cookie) in cookies {
      _ = state.jars[partition, default: CookieJar()].insert(cookie, at: now)
    }
    if let fault { onFault(fault) }
    isVacant = Atomic(state.jars.values.allSatisfy { $0.count == 0 } && !file.isUnread)
    self.state = Mutex(state)
    suffixes = publicSuffixes
    self.file = file
    self.onFault = onFault
    self.time = time
  }

  /// Whether persistent cookies survive the end of the process.
  var hasFile: Bool { file != nil }

  /// Returns the cookies of a partition in the order of their creation, without expired ones.
  public func cookies(in partition: String = "") -> [Cookie] {
    readAgain()
    let now = time.wallTime()
    return state.withLock { $0.jars[partition]?.cookies ?? [] }.filter { !$0.isExpired(at: now) }
  }

  /// Removes the cookies of a partition, for example when the user logs out; from the file, and those that
  /// were set aside, too.
  ///
  /// Responses to requests that were sent before set no cookies in it.
  ///
  /// - Parameter partition: The partition; by default all cookies are removed.
  public func removeAll(in partition: String? = nil) {
    guard let partition else {
      file?.giveUpUnread()
      change { state in
        state.removals.noteAll()
        state.jars = [:]
        return true
      }
      file?.removeSetAside(of: nil)
      return
    }
    change { state in
      state.removals.note(partition)
      return state.jars.removeValue(forKey: partition) != nil || file?.isUnread == true
    }
    file?.removeSetAside(of: partition)
  }

  /// The number of removals so far, which is read when a request leaves, before its cookies; doesn't lock.
  var mark: UInt64 { removalCount.load(ordering: .acquiring) }

  /// Whether there is no cookie in any partition, nor in a file that could not be read yet; doesn't lock.
  var isEmpty: Bool { isVacant.load(ordering: .acquiring) }

  /// Returns the value of the `Cookie` field for a request's URL, or nil if no cookie belongs to it.
  func field(for head: HTTPRequest, in partition: String) -> FieldText? {
    guard !isEmpty, let url = CookieURL(head) else { return nil }
    readAgain()
    let now = time.wallTime()
    return state.withLock {
      $0.jars[partition]?.field(for: url, at: now, isHostsOnly: suffixes.isHostsOnly)
    }
  }

  /// Stores the cookies of a response, unless those of its partition were removed after its request had left.
  ///
  /// - Parameter mark: The number of removals when the request left; nil for cookies that belong to none.
  func store(_ lines: [FieldText], from request: Request, since mark: UInt64? = nil) {
    guard let url = CookieURL(request.head) else { return }
    let now = time.wallTime()
    let partition = request.context.partition
    // Its partition has no meaning in another process.
    let isUnnamed = request.identity?.isLasting == false && !request.hasUnknownIdentity
    change { state in
      // In one step with the change, so that a removal is either seen here or removes what is stored.
      if let mark, state.removals.contain(partition, since: mark) { return false }
      // Taken out, so that it is changed in place.
      var jar = state.jars.removeValue(forKey: partition) ?? CookieJar()
      let former = jar.count
      var (isOutdated, removes) = (false, false)
      for line in lines {
        let outcome = jar.store(line, from: url, at: now, suffixes)
        isOutdated = outcome == .changedPersistently || isOutdated
        removes = outcome == .unchanged || removes
      }
      if file?.isUnread == true, removes || jar.count < former {
        // It may have removed a cookie of the file; better no cookie than one that the server has removed.
        state.removals.note(partition)
        isOutdated = true
      }
      if isUnnamed { (jar.isLasting, isOutdated) = (false, false) }
      state.jars[partition] = jar.count == 0 ? nil : jar
      return isOutdated
    }
  }

  /// Changes the cookies, and then writes the file if the closure returns that a persistent one changed.
  private func change(_ body: (inout State) -> Bool) {
    readAgain()
    let version: UInt64? = state.withLock { state in
      let isOutdated = body(&state)
      noteVacancy(of: state)
      removalCount.store(state.removals.mark, ordering: .releasing)
      guard isOutdated else { return nil }
      state.version += 1
      return state.version
    }
    if let version { write(version) }
  }

  private func noteVacancy(of state: State) {
    isVacant.store(state.jars.isEmpty && file?.isUnread != true, ordering: .releasing)
  }

  /// Adds the cookies of a file that could not be read before, once it can be read; those that were set or
  /// removed since remain so.
  private func readAgain() {
    guard let file, file.isUnread else { return }
    let now = time.wallTime()
    var version: UInt64 = 0
    let (isRead, fault) = file.readAgain { cookies in
      var stored: [String: CookieJar] = [:]
      for (partition, cookie) in cookies {
        _ = stored[partition, default: CookieJar()].insert(cookie, at: now)
      }
      state.withLock { state in
        for (partition, var jar) in stored where !state.removals.contain(partition, since: 0) {
          for cookie in state.jars[partition]?.cookies ?? [] { _ = jar.insert(cookie, at: now) }
          state.jars[partition] = jar.count == 0 ? nil : jar
        }
        noteVacancy(of: state)
        version = state.version
      }
    }
    if let fault { onFault(fault) }
    // Changes that could not be written until now.
    if isRead, version > 0 { write(version) }
  }

  /// Writes the file, unless it has the version or a later one.
  private func write(_ version: UInt64) {
    guard let file else { return }
    let now = time.wallTime()
    var removed = 0
    do throws(CookieFileError) {
      try file.write(version) {
        state.withLock { state in
          removed = CookieEviction.fit(&state.jars, to: file.maximumSize, at: now)
          let jars = state.jars.filter(\.value.isLasting).sorted { $0.key < $1.key }
          return (state.version, jars.flatMap { jar in jar.value.cookies.map { (jar.key, $0) } })
        }
      }
    } catch {
      onFault(error)
    }
    if removed > 0 { onFault(.full(path: file.path, removed: removed)) }
  }
}

/// Which partitions were removed, and when: a response to a request that left before sets no cookies there.
///
/// Without it, a response that arrives after a logout would bring the former session back. A value without
/// I/O. Times are numbers of removals.
struct CookieRemovals: Sendable {
  /// The maximum number of partitions whose removal is remembered; beyond that the older half is forgotten.
  static let capacity = 256

  /// The number of removals so far.
  private(set) var mark: UInt64 = 0
  /// The latest removal of each partition.
  private var latest: [String: UInt64] = [:]
  /// The latest removal of all partitions, or of one that was forgotten.
  private var latestOfAll: UInt64 = 0

  /// The number of partitions.
  var count: Int { latest.count }

  /// Records the removal of a partition's cookies.
  mutating func note(_ partition: String) {
    mark += 1
    latest[partition] = mark
    guard latest.count > Self.capacity else { return }
    let marks = latest.values.sorted()
    let limit = marks[marks.count / 2]
    latest = latest.filter { $0.value > limit }
    // A request that left before it loses its cookies, whatever its partition.
    latestOfAll = max(latestOfAll, limit)
  }

  /// Records the removal of all cookies.
  mutating func noteAll() {
    mark += 1
    (latest, latestOfAll) = ([:], mark)
  }

  /// Whether a partition's cookies may have been removed after a time.
  func contain(_ partition: String, since former: UInt64) -> Bool {
    latestOfAll > former || latest[partition].map { $0 > former } ?? false
  }
}
