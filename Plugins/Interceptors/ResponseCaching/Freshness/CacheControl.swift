import HTTPTypes
import Interception

/// The `Cache-Control` directives of a request or a response (RFC 9111, section 5.2, RFC 5861 and RFC 8246).
///
/// Commas and equals signs within quoted strings are not separators. If the quotes don't match, nothing is
/// quoted, and only the directives that restrict the cache count: a misplaced quote must not hide one.
struct CacheControl: Sendable, Hashable {
  /// Whether storing is forbidden, regardless of ``mustUnderstand``.
  private(set) var noStore = false
  /// Whether a stored response must be revalidated before each use.
  private(set) var noCache = false
  /// The lifetime; the shortest if there are several, zero if malformed, at most 2^31 s.
  private(set) var maxAge: Duration?
  /// Whether a stale response must not be used without revalidation.
  private(set) var mustRevalidate = false
  /// Whether the same applies to shared caches only.
  private(set) var proxyRevalidate = false
  /// The lifetime for shared caches; parsed like ``maxAge``.
  private(set) var sharedMaxAge: Duration?
  /// Whether a shared cache must not store the response.
  private(set) var isPrivate = false
  /// Whether a shared cache may store a response to a request with credentials.
  private(set) var isPublic = false
  /// Whether a cache that knows the status may ignore `no-store`, and another one must not store.
  private(set) var mustUnderstand = false
  /// Whether the content doesn't change while it is fresh (RFC 8246).
  private(set) var isImmutable = false
  /// How long after its lifetime a response may be used while it is revalidated; parsed like the lifetime.
  private(set) var staleWhileRevalidate: Duration?
  /// How long after its lifetime a response may be used if the server fails; parsed like the lifetime.
  private(set) var staleIfError: Duration?
  /// The staleness that a request accepts; nil if none, 2^31 s for any.
  private(set) var maxStale: Duration?
  /// How long a response must remain fresh for a request to accept it.
  private(set) var minFresh: Duration?
  /// Whether a request accepts only stored responses.
  private(set) var onlyIfCached = false
  /// The fields of `no-cache="…"`, which must not be used without revalidation, in lower case.
  private(set) var noCacheFields: [String] = []
  /// The fields of `private="…"`, which a shared cache must not store, in lower case.
  private(set) var privateFields: [String] = []

  /// Whether these are the directives as a shared cache applies them.
  private(set) var isShared = false

  init(_ value: String?) {
    guard let value else { return }
    let isDone: Void? = value.utf8.withContiguousStorageIfAvailable { read($0[...]) }
    if isDone == nil { Array(value.utf8).withUnsafeBufferPointer { read($0[...]) } }
  }

  /// Returns the directives as a kind of cache applies them.
  ///
  /// In a shared cache `s-maxage` takes precedence over `max-age` (RFC 9111, section 5.2.2.10). A private one
  /// ignores what concerns shared ones.
  func applied(to sharing: CacheSharing) -> CacheControl {
    var control = self
    switch sharing {
    case .private: (control.isPrivate, control.privateFields) = (false, [])
    case .shared: (control.isShared, control.maxAge) = (true, sharedMaxAge ?? maxAge)
    }
    return control
  }

  /// Whether a stale response must not be used, even if the request or the rule would accept it.
  ///
  /// In a shared cache `s-maxage` means that too.
  var forbidsStale: Bool {
    noCache || mustRevalidate || isShared && (proxyRevalidate || sharedMaxAge != nil)
  }

  /// Whether a response to a request with `Authorization` may be stored (RFC 9111, section 3.5).
  var permitsCredentials: Bool { !isShared || isPublic || mustRevalidate || sharedMaxAge != nil }

  /// The fields that must not be stored, in lower case.
  var excludedFields: [String] { noCacheFields + privateFields }

  /// Fields without which the cache can't tell whether it may use a response.
  ///
  /// A list that names one of them means the whole response.
  private static let indispensable: Set<String> = [
    "age", "cache-control", "content-encoding", "content-length", "date", "etag", "expires", "last-modified",
    "vary",
  ]

  private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  private mutating func read(_ text: Bytes) {
    var copy = self
    if copy.read(text, honorsQuotes: true) {
      self = copy
    } else {
      _ = read(text, honorsQuotes: false)
      removePermissions()
    }
  }

  /// Parses the directives; returns false if a quoted string has no end.
  private mutating func read(_ text: Bytes, honorsQuotes: Bool) -> Bool {
    var start = text.startIndex
    var (isQuoted, isEscaped) = (false, false)
    // The collection's own `indices` are a generic slice, which takes longer to create than to iterate.
    for index in text.startIndex..<text.endIndex {
      let byte = text[index]
      if isEscaped {
        isEscaped = false
      } else if isQuoted, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\""), honorsQuotes {
        isQuoted.toggle()
      } else if byte == UInt8(ascii: ","), !isQuoted {
        take(text[start..<index], isStrict: honorsQuotes)
        start = index + 1
      }
    }
    take(text[start...], isStrict: honorsQuotes)
    return !isQuoted
  }

  private mutating func removePermissions() {
    (isPublic, mustUnderstand, isImmutable) = (false, false, false)
    (staleWhileRevalidate, staleIfError, maxStale) = (nil, nil, nil)
    if !noCacheFields.isEmpty { noCache = true }
    if !privateFields.isEmpty { isPrivate = true }
  }

  private mutating func take(_ directive: Bytes, isStrict: Bool) {
    let middle = directive.firstIndex(of: UInt8(ascii: "="))
    var name = directive[..<(middle ?? directive.endIndex)].trimmingWhitespace()
    if !isStrict {
      while name.last == UInt8(ascii: "\"") { name = name.dropLast().trimmingWhitespace() }
      while name.first == UInt8(ascii: "\"") { name = name.dropFirst().trimmingWhitespace() }
    }
    // The length rules out most directives.
    switch name.count {
    case 6: if Self.isName(name, "public") { isPublic = true }
    case 7:
      if Self.isName(name, "max-age") {
        maxAge = Self.shortest(maxAge, directive, after: middle)
      } else if Self.isName(name, "private") {
        takeFields(directive, after: middle, fields: \.privateFields, whole: \.isPrivate)
      }
    case 8:
      if Self.isName(name, "no-store") {
        noStore = true
      } else if Self.isName(name, "no-cache") {
        takeFields(directive, after: middle, fields: \.noCacheFields, whole: \.noCache)
      } else if Self.isName(name, "s-maxage") {
        sharedMaxAge = Self.shortest(sharedMaxAge, directive, after: middle)
      }
    case 9:
      if Self.isName(name, "max-stale") {
        maxStale =
          middle == nil ? .seconds(DeltaSeconds.maximum) : Self.shortest(maxStale, directive, after: middle)
      } else if Self.isName(name, "min-fresh") {
        // Of several, or of a malformed one, the strictest.
        let time = middle.flatMap { Self.seconds(directive[($0 + 1)...]) } ?? .seconds(DeltaSeconds.maximum)
        minFresh = max(minFresh ?? .zero, time)
      } else if Self.isName(name, "immutable") {
        isImmutable = true
      }
    case 14:
      if Self.isName(name, "only-if-cached") { onlyIfCached = true }
      if Self.isName(name, "stale-if-error") {
        staleIfError = Self.shortest(staleIfError, directive, after: middle)
      }
    case 15:
      if Self.isName(name, "must-revalidate") { mustRevalidate = true }
      if Self.isName(name, "must-understand") { mustUnderstand = true }
    case 16: if Self.isName(name, "proxy-revalidate") { proxyRevalidate = true }
    case 22:
      if Self.isName(name, "stale-while-revalidate") {
        staleWhileRevalidate = Self.shortest(staleWhileRevalidate, directive, after: middle)
      }
    default: break
    }
  }

  /// Reads the list of fields of a directive, which applies to the whole response if it has none.
  private mutating func takeFields(
    _ directive: Bytes, after middle: Int?, fields: WritableKeyPath<CacheControl, [String]>,
    whole: WritableKeyPath<CacheControl, Bool>
  ) {
    let names = middle.map { Self.unquoted(directive[($0 + 1)...]) }.map {
      $0.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
        String(decoding: $0.trimmingWhitespace(), as: UTF8.self).lowercased()
      }
    }
    guard let names, names.allSatisfy({ HTTPField.Name($0) != nil && !Self.indispensable.contains($0) })
    else {
      self[keyPath: whole] = true
      return
    }
    self[keyPath: fields] += names
  }

  /// The shorter of a previous time and the one after an equals sign, which is zero if malformed.
  private static func shortest(_ former: Duration?, _ directive: Bytes, after middle: Int?) -> Duration {
    let time = middle.flatMap { seconds(directive[($0 + 1)...]) } ?? .zero
    return min(former ?? time, time)
  }

  /// Whether the bytes equal a lower-case name, ignoring case.
  private static func isName(_ bytes: Bytes, _ name: StaticString) -> Bool {
    guard bytes.count == name.utf8CodeUnitCount else { return false }
    return name.withUTF8Buffer { name in
      zip(bytes, name).allSatisfy { byte, letter in
        ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == letter
      }
    }
  }

  /// The argument without white space and quotes.
  private static func unquoted(_ text: Bytes) -> Bytes {
    let text = text.trimmingWhitespace()
    guard text.count >= 2, text.first == UInt8(ascii: "\""), text.last == UInt8(ascii: "\"") else {
      return text
    }
    return text.dropFirst().dropLast()
  }

  private static func seconds(_ text: Bytes) -> Duration? { DeltaSeconds.parse(unquoted(text)) }
}
