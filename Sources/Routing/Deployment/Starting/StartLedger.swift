import Interception

/// The versions of the deployment document on a device, and what became of the starts with them.
///
/// A version is on trial until it is confirmed, and again with another version of the app. Meanwhile a start
/// is *open* from its beginning until the app is suspended, ends, or has lived long enough; the next start
/// finds it open if the app died. Two such deaths hold the version back: the one before is used for a while,
/// then the newer one is tried again.
///
/// The ledger decides and does no I/O: ``StartStore`` keeps it, and ``Deployments`` obeys it.
struct StartLedger: Sendable, Hashable {
  /// A document, by its version and the SHA-256 of its bytes.
  struct Version: Sendable, Hashable {
    let number: UInt64
    let digest: [UInt8]
  }

  /// The app and the run of the device that a process belongs to.
  struct Surroundings: Sendable, Hashable {
    /// The version of the app.
    let app: String
    /// What distinguishes this run of the device from the one before its restart; empty if unknown.
    let boot: String
  }

  /// What is known of a version.
  struct Entry: Sendable, Hashable {
    let version: Version
    /// The version of the app with which it was used last.
    let app: String
    /// The version of the app that has confirmed it last; nil if none has.
    var confirmedBy: String?
    /// The number of deaths since it was received, tried again or used with another version of the app.
    var deaths = 0
    /// The number of times that it was held back.
    var holds = 0
    /// Since when it is held back; nil while it may be used.
    var heldSince: WallTime?
    /// The process whose end would be a death; nil if there is none.
    var openStart: Surroundings?

    init(_ version: Version, app: String, confirmedBy: String? = nil) {
      (self.version, self.app, self.confirmedBy) = (version, app, confirmedBy)
    }

    /// Whether the app has yet to confirm it.
    var isOnTrial: Bool { confirmedBy != app }

    /// The time for which it is held back; nil once it is given up.
    var pause: Duration? {
      let pauses = StartLedger.pauses
      return holds >= 1 && holds <= pauses.count ? pauses[holds - 1] : nil
    }

    /// The time of the next try; nil if there is none.
    var retry: WallTime? { heldSince.flatMap { since in pause.map { since.advanced(by: $0) } } }
  }

  /// The number of deaths that hold a version back.
  static let deathLimit = 2
  /// For how long a version is held back the first time, the second time, and so on; then it is given up.
  static let pauses: [Duration] = [.seconds(3_600), .seconds(86_400), .seconds(7 * 86_400)]
  /// The maximum number of stored documents: the newest one, and two that were confirmed, the second in case
  /// the file of the first is lost.
  static let documentLimit = 3
  /// The maximum number of recorded events; the oldest are removed.
  static let eventLimit = 32
  /// The maximum length of an event's detail in bytes.
  private static let detailLimit = 600

  /// The stored documents, newest first.
  private(set) var entries: [Entry] = []
  /// A document that is being checked, or with which the app died while it was checked; it is not stored.
  private(set) var candidate: Entry?
  /// What was accepted, so that no earlier document returns.
  private(set) var record = DeploymentRecord()
  /// What happened, oldest first.
  private(set) var events: [DeploymentEvent] = []
  /// The events that were not reported yet.
  private var unreported: [DeploymentEvent] = []

  /// Creates the ledger of a device that has received nothing.
  init() {}

  /// Creates a ledger from what is stored.
  init(record: DeploymentRecord, entries: [Entry], candidate: Entry?, events: [DeploymentEvent]) {
    (self.record, self.entries, self.candidate, self.events) = (record, entries, candidate, events)
  }

  /// Creates a ledger from the documents that are stored, because the one before is lost.
  ///
  /// All are on trial, since it is unknown whether they have worked. They are therefore neither lost nor
  /// trusted, and no version below them is accepted.
  init(
    rebuiltFrom documents: [Version], _ record: DeploymentRecord, app: String, at now: WallTime,
    detail: String
  ) {
    self.record = record
    let newestFirst = documents.sorted { $0.number > $1.number }.prefix(Self.documentLimit)
    entries = newestFirst.map { Entry($0, app: app) }
    note(.rebuilt, entries.first?.version.number, at: now, detail)
  }

  /// Returns what is known of a stored document.
  func entry(of version: Version?) -> Entry? { entries.first { $0.version == version } }

  // MARK: Starts

  /// Judges how the process before has ended, and returns the documents of which this one uses the first that
  /// it can, newest first.
  mutating func start(at now: WallTime, in place: Surroundings) -> [Version] {
    // If the app died while it checked another document, that one is at fault.
    if candidate?.openStart != nil { close(entriesOnly: true) }
    if let known = candidate { candidate = judged(known, at: now, in: place, alternative: nil) }
    for index in entries.indices.reversed() {
      let alternative = entries[(index + 1)...].first { $0.heldSince == nil }
      entries[index] = judged(entries[index], at: now, in: place, alternative: alternative?.version.number)
    }
    return entries.filter { $0.heldSince == nil }.map(\.version)
  }

  private mutating func judged(
    _ entry: Entry, at now: WallTime, in place: Surroundings, alternative: UInt64?
  ) -> Entry {
    var entry = entry
    let number = entry.version.number
    if let start = entry.openStart {
      entry.openStart = nil
      if start.app != place.app {
        note(.interrupted, number, at: now, "The app was replaced by version \(place.app).")
      } else if start.boot != place.boot {
        note(.interrupted, number, at: now, "The device was restarted.")
      } else {
        entry.deaths += 1
        note(.died, number, at: now, "The app has died \(entry.deaths) of \(Self.deathLimit) times.")
      }
    }
    if entry.app != place.app {
      // What one version of the app dies of may work with another, and the other way round.
      if entry.heldSince != nil { note(.triedAgain, number, at: now, "The app has version \(place.app).") }
      entry = Entry(entry.version, app: place.app, confirmedBy: entry.confirmedBy)
    }
    if entry.deaths >= Self.deathLimit { hold(&entry, at: now, alternative) }
    release(&entry, at: now)
    return entry
  }

  private mutating func hold(_ entry: inout Entry, at now: WallTime, _ alternative: UInt64?) {
    entry.holds += 1
    entry.deaths = 0
    entry.heldSince = now
    let used = alternative.map { "The app uses version \($0)" } ?? "The app uses no document in its place"
    if let pause = entry.pause {
      let hours = Int(pause / .seconds(3_600))
      note(.heldBack, entry.version.number, at: now, "\(used), and tries again after \(hours) h.")
    } else {
      note(
        .givenUp, entry.version.number, at: now,
        "\(used), until a newer version is received or the app is replaced.")
    }
  }

  private mutating func release(_ entry: inout Entry, at now: WallTime) {
    guard let since = entry.heldSince, let retry = entry.retry else { return }
    if now < since {
      // The clock was set back, perhaps by years; the pause begins anew.
      entry.heldSince = now
    } else if now >= retry {
      entry.heldSince = nil
      note(.triedAgain, entry.version.number, at: now, "It was held back \(entry.holds) times.")
    }
  }

  /// Opens the start of a process with a stored document; without effect if it is confirmed.
  mutating func open(_ version: Version, in place: Surroundings) {
    for index in entries.indices where entries[index].version == version && entries[index].isOnTrial {
      entries[index].openStart = place
    }
  }

  /// Opens the check of a document again, because the app is in the foreground.
  mutating func openCheck(in place: Surroundings) { candidate?.openStart = place }

  /// Closes the start, because the document can't be used or the app has lived long enough; and the check,
  /// because the app is suspended or ends.
  mutating func close(entriesOnly: Bool = false) {
    for index in entries.indices { entries[index].openStart = nil }
    if !entriesOnly { candidate?.openStart = nil }
  }

  /// Confirms a version, and drops what it replaces but for one document.
  mutating func confirm(_ version: Version, at now: WallTime) {
    guard let index = entries.firstIndex(where: { $0.version == version }) else { return }
    let entry = Entry(version, app: entries[index].app, confirmedBy: entries[index].app)
    let older = entries[(index + 1)...].filter { $0.confirmedBy != nil }
    // A newer one that is held back stays.
    entries = Array(entries[..<index]) + [entry] + older.prefix(max(0, Self.documentLimit - 2 - index))
    note(.confirmed, version.number, at: now)
  }

  // MARK: Documents

  /// Throws ``HeldBack`` if a document is held back.
  func checkHold(of version: Version) throws(HeldBack) {
    for held in entries + [candidate].compactMap(\.self) where held.version == version {
      if held.heldSince != nil { throw HeldBack(retry: held.retry) }
    }
  }

  /// Opens the check of a document whose signature is valid and which is not stored.
  mutating func beginCheck(of version: Version, at now: WallTime, in place: Surroundings) throws(HeldBack) {
    if candidate?.version != version { candidate = Entry(version, app: place.app) }
    if var known = candidate {
      release(&known, at: now)
      candidate = known
    }
    try checkHold(of: version)
    candidate?.openStart = place
  }

  /// Closes the check of a document that was refused.
  mutating func refuse() {
    candidate?.openStart = nil
    // What died before is remembered; a refusal is not a death.
    if let known = candidate, known.deaths == 0, known.holds == 0 { candidate = nil }
  }

  /// Puts the document that was checked on trial; it is stored.
  mutating func accept(_ document: DeploymentDocument, at now: WallTime) {
    guard let accepted = candidate else { return }
    record.accept(document)
    candidate = nil
    close()
    entries = [accepted] + entries.filter { $0.confirmedBy != nil }.prefix(Self.documentLimit - 1)
    note(.received, accepted.version.number, at: now)
  }

  // MARK: Events

  /// Records an event, unless it repeats the last one of the version.
  mutating func note(
    _ kind: DeploymentEvent.Kind, _ version: UInt64?, at now: WallTime, _ detail: String = ""
  ) {
    let event = DeploymentEvent(
      kind, version, at: now, String(decoding: detail.utf8.prefix(Self.detailLimit), as: UTF8.self))
    let last = events.last { $0.version == version }
    if kind == .unusable, last?.kind == kind, last?.detail == event.detail { return }
    events.append(event)
    unreported.append(event)
    if events.count > Self.eventLimit { events.removeFirst(events.count - Self.eventLimit) }
  }

  /// Returns the events that were not reported yet, which then are.
  mutating func report() -> [DeploymentEvent] {
    defer { unreported = [] }
    return unreported
  }
}

/// A document is held back because the app has died with it.
struct HeldBack: Error {
  /// The time of the next try; nil if it was given up.
  let retry: WallTime?
}
