#if SQLite
import DurableQueues
import GRDB
import Interception
import ResponseCaching

extension ResponseDirectory {
  /// The number of rows whose visits are written without a response that is stored.
  private static let maximumVisitedRows = 64

  /// Looks a request up on the calling thread, which the disk blocks.
  ///
  /// Here alone a response is read for a request. What must follow something on the store's thread waits for
  /// that, and is then read here, too; so is what could not be read, because it was changed meanwhile or is
  /// damaged.
  nonisolated func lookup(_ query: ReaderConnection.Query) async -> StoreLookup {
    var (hasWaited, isRepeated) = (false, false)
    while true {
      switch readers.read(query, isAfterWrites: hasWaited) {
      case .read(let reading, let file, let isBatchComplete):
        if isBatchComplete { post { $0.writeVisitsIfMany() } }
        guard !reading.damaged.isEmpty, !isRepeated else { return reading.lookup }
        isRepeated = true
        await perform { if $0.contents?.file === file { $0.removeRows(reading.damaged) } }
      case .later: await perform { _ in }
      case .closed: return .nothing
      case .failed(let error, let file):
        guard !isRepeated else {
          await perform { $0.noteFailure(error, of: file) }
          return .nothing
        }
        isRepeated = true
        await perform { _ in }
      }
      hasWaited = true
    }
  }

  /// Removes the selected responses, and returns their number.
  func remove(_ selection: CacheSelection) -> Int {
    reopenIfDeleted()
    guard let file = contents?.file else { return 0 }
    var removals = delete(selection)
    if removals == nil {
      // On a full disk the log has the room that the removal needs; another database was not looked at.
      if contents?.file === file { truncateLog() }
      removals = delete(selection)
    }
    let count = removals?.count ?? contents?.order.count ?? 0
    if let removals { forget(removals) } else { discardAll() }
    switch selection.kind {
    case .all, .partition:
      // Nothing of an account may remain in the files: the log, or a database that was set aside.
      truncateLog()
      contents?.file.removeDamagedFiles()
    case .service, .api, .tags, .target, .subject, .key: break
    }
    return count
  }

  /// Deletes the selected rows, and returns them; nil if that can't be written.
  private func delete(_ selection: CacheSelection) -> [Removal]? {
    let (condition, arguments, isDurable) = Self.condition(selection)
    return change(isDurable: isDurable) { database in
      let removals = try Row.fetchAll(
        database.makeStatement(sql: "SELECT id, file, fileBytes FROM response WHERE \(condition)"),
        arguments: StatementArguments(arguments)
      ).map(Self.removal)
      try Self.delete(removals, in: database)
      return removals
    }
  }

  /// Writes the log back to the database, and empties it, which no read may use meanwhile.
  func truncateLog() {
    readers.pause { _ = read { try Row.fetchAll($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)").count } }
  }

  /// The rows of a selection, and whether their removal must also survive a loss of power.
  private static func condition(_ selection: CacheSelection) -> (String, [Int64], isDurable: Bool) {
    switch selection.kind {
    case .all: ("1", [], true)
    case .partition(let partition): ("partition = ?", [ResponseColumns.hash(of: partition)], true)
    case .service(let service): ("service = ?", [ResponseColumns.hash(of: service)], true)
    case .api(let api): ("api = ?", [ResponseColumns.hash(of: api)], true)
    case .tags(let tags):
      (
        "id IN (SELECT id FROM tag WHERE tag IN (\(tags.map { _ in "?" }.joined(separator: ", "))))",
        tags.map { ResponseColumns.hash(of: $0) }, true
      )
    case .target(let target): ("target = ?", [ResponseColumns.hash(of: target)], false)
    case .subject(let subject):
      (
        "target = ? AND subject = ?",
        [ResponseColumns.hash(of: subject.target), ResponseColumns.hash(of: subject)], false
      )
    case .key(let key): ("key = ?", [ResponseColumns.hash(of: key)], false)
    }
  }

  /// Counts the visits, and writes them if there are many.
  private func writeVisitsIfMany() {
    noteVisits()
    if let visits = contents?.visits, visits.count >= Self.maximumVisitedRows { writeVisits() }
  }

  /// Counts the visits of the reads since the last call.
  func noteVisits() {
    for row in readers.takeVisits() { visit(row) }
  }

  /// Writes the visits that were counted.
  func writeVisits() {
    guard let visits = contents?.visits, !visits.isEmpty else { return }
    contents?.visits = [:]
    _ = change { try Self.write(visits, in: $0) }
  }

  private func visit(_ row: Int64) {
    guard contents?.order.touch(row) == true else { return }
    contents?.visits[row, default: 0] += 1
  }
}

/// The hashes by which a stored response is found and removed, as they stand in the columns of the database.
///
/// A collision does no harm at a lookup, because the whole key is compared, and at a removal it costs a miss.
struct ResponseColumns: Sendable, Hashable {
  let key: Int64
  let target: Int64
  let subject: Int64
  let partition: Int64
  /// Zero for a request without an API, as is ``api``.
  let service: Int64
  let api: Int64

  init(_ key: CacheKey) {
    let subject = key.subject
    self.key = Self.hash(of: key)
    target = Self.hash(of: subject.target)
    self.subject = Self.hash(of: subject)
    partition = Self.hash(of: subject.partition)
    service = subject.api.map { Self.hash(of: $0.service) } ?? 0
    api = subject.api.map(Self.hash) ?? 0
  }

  static func hash(of key: CacheKey) -> Int64 {
    var sum = RecordChecksum()
    key.preimage.withUnsafeBytes { sum.add($0) }
    return Int64(bitPattern: sum.value)
  }

  static func hash(of text: String) -> Int64 { hash(ofJoined: text) }

  static func hash(of tag: CacheRule.Tag) -> Int64 { hash(of: tag.name) }

  static func hash(of api: APIIdentity) -> Int64 {
    hash(ofJoined: String(api.service.utf8.count), " ", api.service, api.name)
  }

  static func hash(of subject: CacheSubject) -> Int64 {
    // The files of earlier versions have the hash of this text.
    hash(
      ofJoined: "[", String(hash(of: subject.partition)), ", ", String(subject.api.map(hash) ?? 0), ", ",
      String(hash(of: subject.method)), "] ", String(hash(of: subject.target)))
  }

  static func hash(of bytes: ArraySlice<UInt8>) -> Int64 { Int64(bitPattern: RecordChecksum.of(bytes)) }

  private static func hash(ofJoined texts: String...) -> Int64 {
    var sum = RecordChecksum()
    for var text in texts { text.withUTF8 { sum.add(UnsafeRawBufferPointer($0)) } }
    return Int64(bitPattern: sum.value)
  }
}
#endif
