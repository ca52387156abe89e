import RequestLogging

/// Keeps the calls of an inspector beyond the end of the process.
///
/// Nothing that a call's task calls blocks: a call that has ended is queued, or dropped and counted.
protocol CallKeeper: AnyObject, Sendable {
  /// The highest number of the calls of earlier runs; those of this run have higher ones.
  var lastEarlierID: Int { get }
  var status: KeptStatus { get }

  /// Queues a call that has ended to be written; one that has changed since is written again.
  func keep(_ call: RecordedCall)

  /// Removes all calls, also those that wait to be written.
  func removeAll()

  /// Returns when the calls that have ended are written.
  func flush() async

  /// Writes what waits, later, and ends.
  func finish()

  /// Writes what waits, and returns when the file is closed.
  func close() async

  /// Returns the lines of calls of earlier runs, in the order of their numbers.
  func earlierCalls(after id: Int, limit: Int) -> [EarlierCall]

  /// Returns a part of a call of an earlier run; nil if it is no longer kept.
  func part(_ part: KeptCall.Part, of id: Int) -> [UInt8]?

  /// Returns the archive's entries of the newest calls of earlier runs, oldest first, and the number of calls
  /// beyond a number of bytes.
  func earlierEntries(upTo byteLimit: Int) -> (entries: [[UInt8]], omittedCount: Int)
}

/// The line of a call of an earlier run.
struct EarlierCall: Sendable, Equatable {
  let id: Int
  /// The line's JSON.
  let summary: [UInt8]
}

/// What the page shows of the file in which calls are kept.
struct KeptStatus: Sendable, Equatable {
  /// The number of calls of earlier runs.
  var earlierCount = 0
  /// The size of the file, without what can be overwritten.
  var byteCount = 0
  var byteLimit = 0
  /// The number of calls of this run that were not written.
  var droppedCount = 0
  /// Why calls aren't written at present, in a sentence; nil if they are.
  var fault: String?

  var json: JSONValue {
    var members: [(name: String, value: JSONValue)] = [
      ("earlier", .count(earlierCount)), ("bytes", .count(byteCount)), ("byteLimit", .count(byteLimit)),
      ("dropped", .count(droppedCount)),
    ]
    if let fault { members.append(("fault", .text(fault))) }
    return .object(members)
  }
}

/// A call as it is kept: JSON as the page shows it, so that no secret of the call is written.
struct KeptCall: Sendable, Equatable {
  static let replayRefusal = "The call was made in an earlier run of the app; make it again in the app."

  let id: Int
  /// The line of a list.
  let summary: [UInt8]
  /// All that is known of the call.
  let detail: [UInt8]
  /// The entries of an HTTP Archive, separated by commas.
  let entries: [UInt8]

  /// A part that is read by itself.
  enum Part: String {
    case detail
    case entries
  }

  /// Writes a call as a later run shows it.
  init(_ record: CallRecord, app: String, shown: ShownText) {
    var record = record
    // The lines of earlier runs are numbered by their calls, before the changes of the later run.
    record.sequence = record.id
    let archive = CallArchive(app: app, shown: shown)
    let document = CallDocument(record: record, shown: shown, isEarlier: true)
    id = record.id
    summary = document.summary.bytes
    detail = document.detail(curl: archive.curl(of: record), replayRefusal: Self.replayRefusal).bytes
    entries = archive.entries(of: record)
  }

  /// The size of all parts.
  var byteCount: Int { summary.count + detail.count + entries.count }
}
