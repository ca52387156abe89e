import HTTPTypes
import Interception

/// A target URI in canonical, injective bytes: scheme, authority, path, and the query's pairs sorted by name.
enum CacheTarget {
  /// Writes the target of a request, without the pairs of some names.
  static func bytes(of head: HTTPRequest, leavingOut parameters: Set<String>) -> [UInt8] {
    let path = head.path ?? ""
    let scheme = lowercased(head.scheme ?? "")
    let authority = authority(head.authority ?? "", scheme: scheme)
    var fields = LengthPrefixed(reserving: path.utf8.count + authority.utf8.count + 96)
    fields.append(scheme)
    fields.append(authority)
    let isWritten: Void? = path.utf8.withContiguousStorageIfAvailable {
      write(UnsafeRawBufferPointer($0), to: &fields, leavingOut: parameters)
    }
    if isWritten == nil {
      Array(path.utf8).withUnsafeBytes { write($0, to: &fields, leavingOut: parameters) }
    }
    return fields.bytes
  }

  /// The text with `A` to `Z` in lower case; mostly it is the text itself.
  private static func lowercased(_ text: String) -> String {
    let isLowercase = text.utf8.withContiguousStorageIfAvailable { bytes in
      !bytes.contains { (0x41...0x5a).contains($0) }
    }
    guard isLowercase != true else { return text }
    return String(decoding: text.utf8.map { (0x41...0x5a).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
  }

  /// The authority in lower case, without the port that its scheme implies.
  private static func authority(_ authority: String, scheme: String) -> String {
    let authority = lowercased(authority)
    let implied =
      switch scheme {
      case "https": ":443"
      case "http": ":80"
      default: ""
      }
    let bytes = authority.utf8
    guard !implied.isEmpty, bytes.last == implied.utf8.last,
      bytes.suffix(implied.utf8.count).elementsEqual(implied.utf8)
    else { return authority }
    return String(decoding: bytes.dropLast(implied.utf8.count), as: UTF8.self)
  }

  private static func write(
    _ path: UnsafeRawBufferPointer, to fields: inout LengthPrefixed, leavingOut parameters: Set<String>
  ) {
    guard let mark = path.firstIndex(of: UInt8(ascii: "?")) else {
      path.isEmpty ? fields.append([UInt8(ascii: "/")]) : fields.append(path)
      return
    }
    if mark == 0 {
      fields.append([UInt8(ascii: "/")])
    } else {
      fields.append(UnsafeRawBufferPointer(rebasing: path[..<mark]))
    }
    for pair in pairs(of: path, from: mark + 1, leavingOut: parameters) {
      fields.append(UnsafeRawBufferPointer(rebasing: path[pair.start..<pair.end]))
    }
  }

  /// A pair of the query as it is written: where it begins, where its name ends, where it ends.
  private struct Pair {
    let start: Int
    let nameEnd: Int
    let end: Int
  }

  /// The query's pairs sorted by name; equally named ones keep their order.
  private static func pairs(
    of path: UnsafeRawBufferPointer, from first: Int, leavingOut parameters: Set<String>
  ) -> [Pair] {
    var pairs: [Pair] = []
    pairs.reserveCapacity(8)
    var (start, nameEnd) = (first, -1)
    for index in first...path.count {
      let byte = index < path.count ? path[index] : UInt8(ascii: "&")
      if byte == UInt8(ascii: "="), nameEnd < 0 { nameEnd = index }
      guard byte == UInt8(ascii: "&") else { continue }
      pairs.append(Pair(start: start, nameEnd: nameEnd < 0 ? index : nameEnd, end: index))
      (start, nameEnd) = (index + 1, -1)
    }
    if !parameters.isEmpty {
      pairs.removeAll { parameters.contains(String(decoding: path[$0.start..<$0.nameEnd], as: UTF8.self)) }
    }
    func precedes(_ left: Pair, _ right: Pair) -> Bool {
      path[left.start..<left.nameEnd].lexicographicallyPrecedes(path[right.start..<right.nameEnd])
    }
    let isSorted = zip(pairs, pairs.dropFirst()).allSatisfy { !precedes($1, $0) }
    if isSorted { return pairs }
    return pairs.enumerated().sorted { left, right in
      if precedes(left.element, right.element) { return true }
      return !precedes(right.element, left.element) && left.offset < right.offset
    }.map(\.element)
  }
}
