extension RouteTrie {
  /// Decodes a percent-encoded label and returns the node of its literal, or -1, and the node's kinds that
  /// the label belongs to.
  @inline(never)
  func escapedChildren(
    of index: Int, _ bytes: Span<UInt8>, _ label: Range<Int>, _ isLenient: Bool
  ) -> (literal: Int32, kinds: UInt8) {
    withDecoded(bytes, label) { decoded, count in
      let literal =
        count > Int(nodes[index].longest)
        ? -1 : child(of: index, decoded, LabelWords(decoded, at: 0, length: count), isFolded: false)
      let mask = nodes[index].kindMask
      return (literal, isLenient ? mask : narrowKinds(mask, decoded.extracting(0..<count)))
    }
  }

  /// Returns the node of a percent-encoded host, or -1.
  @inline(never)
  func escapedRoot(_ scan: borrowing URLScan, _ bytes: Span<UInt8>) -> Int32 {
    withDecoded(bytes, 0..<scan.hostEnd) { decoded, count in
      child(of: 0, decoded, LabelWords(decoded, at: 0, length: count, isFolded: true), isFolded: true)
    }
  }

  /// Passes the bytes of a range, percent-decoded, and their number; zeros follow fewer than eight.
  @inline(__always)
  private func withDecoded<Value>(
    _ bytes: Span<UInt8>, _ range: Range<Int>, _ body: (Span<UInt8>, Int) -> Value
  ) -> Value {
    var count = range.count
    for offset in range where bytes[offset] == UInt8(ascii: "%") { count -= 2 }
    return SpanAccess.withBuffer(of: max(count, 8)) { buffer in
      var offset = range.lowerBound
      for index in 0..<count { buffer[index] = PercentEncoding.next(bytes, &offset) }
      return body(buffer.span, count)
    }
  }

  /// Returns the kinds of a mask that a label belongs to.
  @inline(never)
  func narrowKinds(_ mask: UInt8, _ label: Span<UInt8>) -> UInt8 {
    // The texts of enumerations are compared when they are tried.
    var found = mask & (Self.text | Self.enumeration)
    if mask & 1 != 0, RoutePattern.ValueKind.isBoolean(label) { found |= 1 }
    if mask & 4 != 0, RoutePattern.ValueKind.isUUID(label) { found |= 4 }
    if mask & 8 != 0, RoutePattern.ValueKind.isInteger(label) { found |= 8 }
    if mask & 16 != 0, RoutePattern.ValueKind.isNumber(label) { found |= 16 }
    return found
  }

  /// Returns the enumerations of a node that has some, those with the fewest texts first.
  func enumerations(of index: Int) -> ArraySlice<Enumeration> {
    let step = steps[Int(nodes[index].kinds) + RoutePattern.ValueKind.enumerationRank]
    return enumerations[Int(step.node)..<(Int(step.node) + Int(step.tag))]
  }

  /// Returns whether a label, which may be percent-encoded, is one of an enumeration's texts.
  func has(_ enumeration: Enumeration, _ bytes: Span<UInt8>, _ label: Range<Int>) -> Bool {
    enumeration.texts.contains { text in
      var offset = label.lowerBound
      for byte in text {
        guard offset < label.upperBound, PercentEncoding.next(bytes, &offset) == byte else { return false }
      }
      return offset == label.upperBound
    }
  }

  /// Returns the node of a label's literal, or -1.
  @inline(__always)
  func child(of index: Int, _ bytes: Span<UInt8>, _ label: LabelWords, isFolded: Bool) -> Int32 {
    let literals = nodes[index].literals
    let hash = label.hash(bytes, isFolded: isFolded)
    let tag = LabelWords.tag(hash)
    if literals.count <= Self.fewLiterals {
      var place = literals.first
      while place < literals.end {
        let step = steps[place]
        if step.tag == tag, isLiteral(of: Int(step.node), label, bytes, isFolded) { return step.node }
        place &+= 1
      }
      return -1
    }
    let mask = Int(literals.count) &- 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while true {
      // There are more slots than literals, so the search ends at an empty one.
      let step = steps[literals.first &+ place]
      if step.node < 0 { return -1 }
      if step.tag == tag, isLiteral(of: Int(step.node), label, bytes, isFolded) { return step.node }
      place = (place &+ 1) & mask
    }
  }

  /// Returns whether a label equals the literal of a node.
  @inline(__always)
  private func isLiteral(of index: Int, _ label: LabelWords, _ bytes: Span<UInt8>, _ isFolded: Bool) -> Bool {
    if nodes[index].first != label.first || nodes[index].last != label.last
      || Int(nodes[index].length) != label.length
    {
      return false
    }
    var offset = 8
    var word = Int(nodes[index].words)
    while offset &+ 8 < label.length {
      if words[word] != label.word(bytes, offset, isFolded) { return false }
      offset &+= 8
      word &+= 1
    }
    return true
  }
}

/// A label as words, for comparing it with literals without reading its bytes again.
struct LabelWords {
  /// The offset of its first byte.
  let start: Int
  /// The number of bytes, at least one.
  let length: Int
  /// The first eight bytes, the first in the lowest bits, zero-extended.
  let first: UInt64
  /// The last eight bytes, or zero if the label has at most eight.
  let last: UInt64

  /// Reads a label, converting ASCII letters to lower case if `isFolded` is true.
  @inline(__always)
  init(_ bytes: Span<UInt8>, at start: Int, length: Int, isFolded: Bool = false) {
    self.start = start
    self.length = length
    let words =
      length > 8
      ? (ByteWords.load(bytes, at: start), ByteWords.load(bytes, at: start &+ length &- 8))
      : (ByteWords.load(bytes, at: start, count: length), 0)
    first = isFolded ? ByteWords.lowercase(words.0) : words.0
    last = isFolded ? ByteWords.lowercase(words.1) : words.1
  }

  /// Returns the hash by which a literal is looked up; it covers all bytes.
  @inline(__always)
  func hash(_ bytes: Span<UInt8>, isFolded: Bool = false) -> UInt64 {
    var hash = ByteWords.mix(UInt64(truncatingIfNeeded: length), first)
    if length > 8 { hash = ByteWords.mix(hash, last) }
    var offset = 8
    while offset &+ 8 < length {
      hash = ByteWords.mix(hash, word(bytes, offset, isFolded))
      offset &+= 8
    }
    return hash
  }

  /// The half of a hash that is stored with a literal; the other half selects its slot in a table.
  @inline(__always)
  static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash &>> 32) }

  /// Returns the word at an offset from the label's start; it must end before the label does.
  @inline(__always)
  func word(_ bytes: Span<UInt8>, _ offset: Int, _ isFolded: Bool) -> UInt64 {
    let word = ByteWords.load(bytes, at: start &+ offset)
    return isFolded ? ByteWords.lowercase(word) : word
  }
}
