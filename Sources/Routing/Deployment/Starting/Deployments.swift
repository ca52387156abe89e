import Cryptography
public import Interception
public import Mediation
import Synchronization

/// The deployment documents of an app: receives, stores and applies them, and decides which one a start uses.
///
/// ```swift
/// let deployments = try Deployments(folder: folder, verifier: verifier, parts: parts) { event in
///   inspector.note("\(event)", about: .deployment)
/// }
/// // When the first screen is shown:
/// deployments.confirm()
/// // Whenever the server has a document:
/// try await deployments.receive(bytes)
/// ```
///
/// A document that is received is verified, and checked by all parts, before anything is written or applied;
/// it is stored before it is applied. A refused one changes nothing.
///
/// A new version is on trial until the app has been in the foreground with it for 10 seconds and has called
/// ``confirm()`` with it. If the app dies twice before, the next start uses the version before, or none, and
/// reports it: ``DeploymentEvent/Kind/heldBack`` in ``events``. The version is tried again after an hour, a
/// day and a week, and at once by another version of the app; a newer one replaces it at any time.
///
/// An app that was suspended or has ended has not died: pass life-cycle events to ``follow(_:)``, and call
/// ``end()`` before the process exits by itself. Neither has one that was in the foreground for a minute,
/// that was replaced by another version, or whose device was restarted.
///
/// If the files can't be used, or another process has the same folder, the app starts without a version on
/// trial; ``DeploymentEvent/Kind/unrecorded`` says why.
public final class Deployments: Sendable {
  private let parts: [DeploymentPart]
  private let store: StartStore
  private let place: StartLedger.Surroundings
  private let time: TimeSource
  private let observe: @Sendable (DeploymentEvent) -> Void
  /// Held while a document is verified, checked and applied, so that documents are applied one by one.
  private let receiving = Mutex(())
  /// Held while the record of starts is changed and written.
  private let files = Mutex(Files())
  /// Never held during I/O.
  private let shown = Mutex(Shown())

  private struct Files {
    /// The lock of the folder; nil if another process has it.
    var lock: FileLock?
    /// The record of starts; nil if it can't be read.
    var ledger: StartLedger?
    /// Whether the last change of the record could not be written.
    var isUnwritten = false
    var used: StartLedger.Version?
    var isInForeground = true
    var isChecking = false
    var watch = TrialWatch()
    var timer: Task<Void, Never>?

    /// Whether the version in use is on trial.
    var usesTrial: Bool { ledger?.entry(of: used)?.isOnTrial ?? false }
  }

  private struct Shown {
    var version: UInt64?
    var events: [DeploymentEvent] = []
  }

  /// Opens the stored documents, decides which one this start uses, and applies it.
  ///
  /// Create it when all parts exist and before the first screen is shown, because a start counts from here.
  /// It reads files, and writes one while a version is on trial.
  ///
  /// - Parameters:
  ///   - folder: A folder that exists and that only the app writes. One process at a time uses it.
  ///   - verifier: Verifies the documents.
  ///   - parts: What documents can change, in the order in which it is applied.
  ///   - time: The clocks; their wall clock may be wrong.
  ///   - observe: Receives each event, also those of this initializer.
  /// - Throws: ``DeploymentError`` if an argument is invalid. A document or a file that can't be used is no
  ///   error; an event says why.
  public init(
    folder: String, verifier: DeploymentVerifier, parts: [DeploymentPart], time: TimeSource = .system,
    observe: @escaping @Sendable (DeploymentEvent) -> Void = { _ in }
  ) throws(DeploymentError) {
    guard folder.isWholeInC else {
      throw DeploymentError(
        .argument("The path of the folder for deployments contains a null byte; remove it."))
    }
    for (index, part) in parts.enumerated() where parts[..<index].contains(where: { $0.name == part.name }) {
      throw DeploymentError(.argument("Two parts have the name \"\(part.name)\"; rename one."))
    }
    self.parts = parts
    self.time = time
    self.observe = observe
    store = StartStore(folder: folder, verifier: verifier)
    place = .current(app: verifier.appVersionText)
    let (plan, events, _) = files.withLock { open(&$0) }
    finish(plan, events)
  }

  deinit {
    files.withLock { files in
      files.timer?.cancel()
      files.lock?.release()
    }
  }

  /// The version in use; nil if the app works as it was built.
  public var version: UInt64? { shown.withLock { $0.version } }

  /// The recorded events of this start and of those before, oldest first; at most 32.
  public var events: [DeploymentEvent] { shown.withLock { $0.events } }

  // MARK: What the app says

  /// Says that the app works with the version in use, such as when its first screen is shown.
  ///
  /// The version is confirmed once the app has been in the foreground with it for 10 seconds. Call it again
  /// after a document was applied; otherwise the next start's call confirms that one.
  public func confirm() {
    judge { $0.giveWord() }
  }

  /// Follows an event of the app's life cycle: the system may end an app in the background at any time,
  /// which is no death.
  ///
  /// An app that the system starts in the background passes `background` first. Writes a file while a version
  /// is on trial.
  public func follow(_ event: LifecycleEvent) {
    switch event {
    case .background: leaveForeground()
    case .foreground:
      let events = files.withLock { files in
        files.isInForeground = true
        guard files.usesTrial || files.isChecking else { return [DeploymentEvent]() }
        files.watch.resume(at: time.now())
        schedule(&files)
        let (used, isChecking) = (files.watch.isClosed ? nil : files.used, files.isChecking)
        return change(&files) { [place] in
          if let used { $0.open(used, in: place) }
          if isChecking { $0.openCheck(in: place) }
        }
      }
      finish(nil, events)
    case .launch, .memoryWarning, .link, .logout: break
    }
  }

  /// Records that the app ends by itself; call it before the process exits.
  public func end() { leaveForeground() }

  private func leaveForeground() {
    let events = files.withLock { files in
      files.isInForeground = false
      files.watch.pause(at: time.now())
      schedule(&files)
      return change(&files) { $0.close() }
    }
    finish(nil, events)
  }

  // MARK: Documents

  /// Verifies, checks, stores and applies a document.
  ///
  /// - Parameter bytes: The document as it was received.
  /// - Returns: Whether it was applied; false if it is the one in use.
  /// - Throws: ``DeploymentError``; what was deployed before stays in use, in memory and on disk.
  @discardableResult
  @concurrent public func receive(_ bytes: [UInt8]) async throws(DeploymentError) -> Bool {
    do {
      return try receiving.withLock { _ throws(DeploymentError) in try take(bytes) }
    } catch {
      observe(DeploymentEvent(.refused, error.version, at: time.wallTime(), "\(error)"))
      throw error
    }
  }

  private func take(_ bytes: [UInt8]) throws(DeploymentError) -> Bool {
    try openAgain()
    let (ledger, used) = files.withLock { ($0.ledger ?? StartLedger(), $0.used) }
    let known = try StartStore.version(of: bytes, number: 0).digest
    if used?.digest == known { return false }
    // A stored document that could not be used; one that is held back is refused below.
    if let version = ledger.entries.map(\.version).first(where: { $0.digest == known }),
      version.number > used?.number ?? 0
    {
      try checkHold(ledger, version)
      let document = try store.verifier.restore(bytes, after: ledger.record)
      return try repair(version, DeploymentPlan(document, parts: parts))
    }
    let document = try store.verifier.verify(bytes, now: time.wallTime(), after: ledger.record)
    let version = StartLedger.Version(number: document.version, digest: known)
    try beginCheck(of: version)
    do throws(DeploymentError) {
      try accept(version, DeploymentPlan(document, parts: parts))
      return true
    } catch {
      let events = files.withLock { files in
        files.isChecking = false
        return change(&files) { $0.refuse() }
      }
      finish(nil, events)
      throw error
    }
  }

  /// Records that a document is being checked, because a check at which the app dies is a death, too.
  private func beginCheck(of version: StartLedger.Version) throws(DeploymentError) {
    try files.withLock { files throws(DeploymentError) in
      var ledger = files.ledger ?? StartLedger()
      do throws(HeldBack) {
        try ledger.beginCheck(of: version, at: time.wallTime(), in: place)
      } catch {
        throw DeploymentError(.heldBack(until: error.retry), version: version.number)
      }
      if !files.isInForeground { ledger.close() }
      try store.write(ledger)
      files.ledger = ledger
      files.isChecking = true
    }
  }

  private func accept(_ version: StartLedger.Version, _ plan: DeploymentPlan) throws(DeploymentError) {
    let events = try files.withLock { files throws(DeploymentError) in
      try store.write(plan.document.bytes, of: version)
      var ledger = files.ledger ?? StartLedger()
      ledger.accept(plan.document, at: time.wallTime())
      do throws(DeploymentError) { try store.write(ledger) } catch {
        store.removeDocuments(except: files.ledger)
        throw error
      }
      let events = ledger.report()
      files.ledger = ledger
      files.isChecking = false
      store.removeDocuments(except: ledger)
      use(version, &files)
      return events
    }
    finish(plan, events)
  }

  /// Stores a document again whose file was lost, and applies it.
  private func repair(_ version: StartLedger.Version, _ plan: DeploymentPlan) throws(DeploymentError) -> Bool
  {
    try files.withLock { files throws(DeploymentError) in
      try store.write(plan.document.bytes, of: version)
      try open(version, &files)
      use(version, &files)
    }
    finish(plan, [])
    return true
  }

  private func checkHold(_ ledger: StartLedger, _ version: StartLedger.Version) throws(DeploymentError) {
    do throws(HeldBack) { try ledger.checkHold(of: version) } catch {
      throw DeploymentError(.heldBack(until: error.retry), version: version.number)
    }
  }

  // MARK: Starting

  /// Opens the files if that was not possible before.
  private func openAgain() throws(DeploymentError) {
    let (plan, events, fault) = files.withLock { files in
      files.lock == nil || files.ledger == nil ? open(&files) : (nil, [], nil)
    }
    if let fault { throw fault }
    finish(plan, events)
  }

  /// Reads the files, and decides which document is used.
  ///
  /// - Returns: The document in use, the events, and why nothing can be recorded, if nothing can.
  private func open(_ files: inout Files) -> (DeploymentPlan?, [DeploymentEvent], DeploymentError?) {
    let now = time.wallTime()
    func unrecorded(_ fault: DeploymentError) -> DeploymentEvent {
      DeploymentEvent(.unrecorded, nil, at: now, "\(fault)")
    }
    do throws(DeploymentError) {
      if files.lock == nil { files.lock = try store.lock() }
      var ledger = try store.ledger(app: place.app, at: now, isOwner: files.lock != nil)
      guard files.lock != nil else {
        // What can't be recorded can't be tried.
        let documents = ledger.entries.filter { $0.confirmedBy == place.app }.map(\.version)
        files.ledger = ledger
        let (plan, events) = select(from: documents, &files)
        let fault = DeploymentError(.file(path: store.folder, reason: "another process uses it"))
        return (plan, events + [unrecorded(fault)], fault)
      }
      let read = ledger
      let documents = ledger.start(at: now, in: place)
      var events = ledger.report()
      files.ledger = ledger
      if ledger != read { events += write(&files) }
      let (plan, others) = select(from: documents, &files)
      store.removeDocuments(except: files.ledger)
      return (plan, events + others, nil)
    } catch {
      return (nil, [unrecorded(error)], error)
    }
  }

  /// Uses the first document that can be tried, be verified, and that all parts accept.
  private func select(
    from documents: [StartLedger.Version], _ files: inout Files
  ) -> (DeploymentPlan?, [DeploymentEvent]) {
    var events: [DeploymentEvent] = []
    for version in documents {
      do throws(DeploymentError) {
        // Before anything of the document is read, because reading may be what the app dies of.
        if files.lock != nil { try open(version, &files) }
      } catch {
        events.append(DeploymentEvent(.unrecorded, version.number, at: time.wallTime(), "\(error)"))
        continue
      }
      do throws(DeploymentError) {
        let record = files.ledger?.record ?? DeploymentRecord()
        let plan = try DeploymentPlan(store.document(version, after: record), parts: parts)
        use(version, &files)
        return (plan, events)
      } catch {
        let now = time.wallTime()
        events += change(&files) { ledger in
          ledger.close(entriesOnly: true)
          ledger.note(.unusable, version.number, at: now, "\(error)")
        }
      }
    }
    return (nil, events)
  }

  /// Records that a start with a version is open, or throws: one that isn't recorded can't be found to have
  /// died.
  private func open(_ version: StartLedger.Version, _ files: inout Files) throws(DeploymentError) {
    guard files.isInForeground, var ledger = files.ledger else { return }
    ledger.open(version, in: place)
    guard ledger != files.ledger else { return }
    try store.write(ledger)
    files.ledger = ledger
  }

  /// Makes a version the one in use, and begins to watch it if it is on trial.
  private func use(_ version: StartLedger.Version, _ files: inout Files) {
    files.used = version
    files.watch = TrialWatch()
    if files.isInForeground, files.usesTrial { files.watch.resume(at: time.now()) }
    schedule(&files)
  }

  // MARK: Trials

  /// Judges the version on trial by the time and the app's word, after a change.
  private func judge(_ body: (inout TrialWatch) -> Void = { _ in }) {
    let events = files.withLock { files in
      guard files.usesTrial, let used = files.used else { return [DeploymentEvent]() }
      body(&files.watch)
      let (now, wall) = (time.now(), time.wallTime())
      defer { schedule(&files) }
      switch files.watch.verdict(at: now) {
      case .confirm: return change(&files) { $0.confirm(used, at: wall) }
      case .close: return change(&files) { $0.close(entriesOnly: true) }
      case nil: return []
      }
    }
    finish(nil, events)
  }

  /// Plans the next judgment.
  private func schedule(_ files: inout Files) {
    files.timer?.cancel()
    files.timer = nil
    guard files.usesTrial, let wait = files.watch.wait(at: time.now()) else { return }
    files.timer = Task { [weak self, time] in
      guard (try? await time.sleep(for: wait)) != nil else { return }
      self?.judge()
    }
  }

  // MARK: Recording

  /// Changes the record of starts, and returns the events that were added.
  ///
  /// If it can't be written, the change stays in memory, and is written at the next occasion.
  private func change(_ files: inout Files, _ body: (inout StartLedger) -> Void) -> [DeploymentEvent] {
    guard var ledger = files.ledger else { return [] }
    let before = ledger
    body(&ledger)
    guard ledger != before || files.isUnwritten else { return [] }
    let events = ledger.report()
    files.ledger = ledger
    return events + write(&files)
  }

  /// Writes the record of starts, and returns the event of a failure.
  private func write(_ files: inout Files) -> [DeploymentEvent] {
    guard files.lock != nil, let ledger = files.ledger else { return [] }
    do {
      try store.write(ledger)
      files.isUnwritten = false
      return []
    } catch {
      files.isUnwritten = true
      return [DeploymentEvent(.unrecorded, nil, at: time.wallTime(), "\(error)")]
    }
  }

  /// Applies a document, publishes what is shown, and tells the observer; no lock is held.
  private func finish(_ plan: DeploymentPlan?, _ events: [DeploymentEvent]) {
    for event in events { observe(event) }
    plan?.apply()
    files.withLock { files in
      let (version, events) = (files.used?.number, files.ledger?.events ?? [])
      shown.withLock { $0 = Shown(version: version, events: events) }
    }
    if let document = plan?.document {
      let names = document.partNames.isEmpty ? "nothing" : document.partNames.joined(separator: ", ")
      observe(DeploymentEvent(.applied, document.version, at: time.wallTime(), "It has \(names)."))
    }
  }
}
