import Interception
import Synchronization

/// The requests of a run that used a cache, with which ``CacheAdvice`` simulates other limits and policies.
///
/// It contains no URL and no content: a request is identified by a hash whose seed differs in each process,
/// so that neither a guessed URL nor another recording can be compared with it.
public struct CacheRecording: Sendable, Hashable {
  /// A request.
  public struct Entry: Sendable, Hashable {
    /// A hash of the request's cache key.
    public var key: UInt64
    /// The time since the start of the recording.
    public var time: Duration
    /// The size of the response in bytes, as counted by limits; nil if it could not be stored.
    public var size: Int?
    /// How long the response is fresh; nil if it never becomes stale.
    public var lifetime: Duration?
    /// Whether the cache responded without contacting the server.
    public var isHit: Bool

    /// Creates an entry.
    public init(
      key: UInt64, time: Duration = .zero, size: Int?, lifetime: Duration? = nil, isHit: Bool = false
    ) {
      self.key = key
      self.time = time
      self.size = size
      self.lifetime = lifetime
      self.isHit = isHit
    }
  }

  /// The requests in their order.
  public var entries: [Entry]

  /// Creates a recording.
  public init(entries: [Entry] = []) { self.entries = entries }

  /// The recording as lines of text, to save it and to read it again with ``init(text:)``.
  ///
  /// Each line has the key in hexadecimal, the time in milliseconds, the size, the lifetime in milliseconds,
  /// and `hit` or `miss`. An absent size or lifetime is a hyphen.
  package var text: String {
    var text = ""
    for entry in entries {
      let size = entry.size.map(String.init) ?? "-"
      let lifetime = entry.lifetime.map { String(Self.milliseconds($0)) } ?? "-"
      let outcome = entry.isHit ? "hit" : "miss"
      text +=
        "\(String(entry.key, radix: 16)) \(Self.milliseconds(entry.time)) \(size) \(lifetime) \(outcome)\n"
    }
    return text
  }

  /// Reads the text of a recording; nil if a line is malformed.
  package init?(text: String) {
    entries = []
    for line in text.split(whereSeparator: \.isNewline) {
      guard let entry = Self.entry(of: line) else { return nil }
      entries.append(entry)
    }
  }

  private static func entry(of line: Substring) -> Entry? {
    let words = line.split(separator: " ")
    guard words.count == 5, let key = UInt64(words[0], radix: 16), let time = duration(words[1]),
      words[4] == "hit" || words[4] == "miss"
    else { return nil }
    var entry = Entry(key: key, time: time, size: nil, isHit: words[4] == "hit")
    if words[2] != "-" {
      guard let size = Int(words[2]), (0...(1 << 48)).contains(size) else { return nil }
      entry.size = size
    }
    if words[3] != "-" {
      guard let lifetime = duration(words[3]) else { return nil }
      entry.lifetime = lifetime
    }
    return entry
  }

  private static func duration(_ word: Substring) -> Duration? {
    guard let milliseconds = Int64(word), milliseconds.magnitude <= 1 << 51 else { return nil }
    return .milliseconds(milliseconds)
  }

  private static func milliseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    // The bound is 35,000 years, and prevents an overflow.
    return min(max(seconds, -(1 << 40)), 1 << 40) * 1_000 + attoseconds / 1_000_000_000_000_000
  }
}
