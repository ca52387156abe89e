extension RouteTrie {
  /// The child of a literal, or -1, and the kinds that both the node has and the label is.
  @inline(__always)
  func children(
    of index: Int, _ bytes: Span<UInt8>, _ label: Range<Int>, _ isLenient: Bool
  ) -> (literal: Int32, kinds: UInt8) {
    (child(of: index, bytes, label, isFolded: false), kinds(of: index, bytes, label, isLenient))
  }

  /// The same for a label that holds percent-encoded bytes, decoded into a buffer of its own.
  @inline(never)
  func escapedChildren(
    of index: Int, _ bytes: Span<UInt8>, _ label: Range<Int>, _ isLenient: Bool
  ) -> (literal: Int32, kinds: UInt8) {
    var buffer = InlineArray<1024, UInt8>(repeating: 0)
    var count = 0
    var offset = label.lowerBound
    while offset < label.upperBound, count < buffer.count {
      buffer[count] = PercentEncoding.next(bytes, &offset)
      count += 1
    }
    return children(of: index, buffer.span, 0..<count, isLenient)
  }

  /// The child of the root for a host that holds percent-encoded bytes.
  @inline(never)
  func escapedRoot(_ scan: borrowing URLScan, _ bytes: Span<UInt8>) -> Int32 {
    // Room for the longest scheme, "://" and the longest host.
    var buffer = InlineArray<1152, UInt8>(repeating: 0)
    var count = 0
    var offset = 0
    while offset < scan.hostEnd, count < buffer.count {
      buffer[count] = PercentEncoding.next(bytes, &offset)
      count += 1
    }
    return child(of: 0, buffer.span, 0..<count, isFolded: true)
  }

  @inline(__always)
  private func kinds(
    of index: Int, _ bytes: Span<UInt8>, _ label: Range<Int>, _ isLenient: Bool
  ) -> UInt8 {
    let text: UInt8 = 1 &<< 4
    // Most tables know one kind at a place, text, which no segment is not.
    let mask = nodes[index].kindMask
    if mask & ~text == 0 || isLenient { return mask }
    return narrowKinds(mask & ~text, bytes.extracting(label)) | (mask & text)
  }

  @inline(never)
  private func narrowKinds(_ mask: UInt8, _ label: Span<UInt8>) -> UInt8 {
    var found: UInt8 = 0
    if mask & 1 != 0, ValueKind.isBoolean(label) { found |= 1 }
    if mask & 2 != 0, ValueKind.isUUID(label) { found |= 2 }
    if mask & 4 != 0, ValueKind.isInteger(label) { found |= 4 }
    if mask & 8 != 0, ValueKind.isNumber(label) { found |= 8 }
    return found
  }

  /// The child of a literal, or -1.
  @inline(__always)
  func child(of index: Int, _ bytes: Span<UInt8>, _ label: Range<Int>, isFolded: Bool) -> Int32 {
    let length = Int32(truncatingIfNeeded: label.count)
    // Without literals the longest has no bytes, and a label always has one.
    if length > nodes[index].longest { return -1 }
    let (few, table) = (nodes[index].edges, nodes[index].slots)
    let loaded = ByteWords.load(bytes, at: label.lowerBound, count: label.count)
    let first = isFolded ? ByteWords.lowercase(loaded) : loaded
    if table.isEmpty {
      for index in few.range {
        let edge = edges[index]
        if edge.firstWord == first, edge.length == length, hasRest(edge, bytes, label, isFolded) {
          return edge.child
        }
      }
      return -1
    }
    let mask = Int(table.count) - 1
    // Of a short literal the one word is at hand.
    let hash =
      length <= 8
      ? ByteWords.mix(UInt64(label.count), first) : ByteWords.hash(bytes, label, isFolded: isFolded)
    var place = Int(truncatingIfNeeded: hash) & mask
    while true {
      // There are more slots than edges, so an empty one ends the search.
      let index = Int(slots[Int(table.start) &+ place])
      if index < 0 { return -1 }
      let edge = edges[index]
      if edge.firstWord == first, edge.length == length, hasRest(edge, bytes, label, isFolded) {
        return edge.child
      }
      place = (place &+ 1) & mask
    }
  }

  /// Whether a literal and a label of the same length are equal after their first eight bytes.
  @inline(__always)
  private func hasRest(_ edge: Edge, _ bytes: Span<UInt8>, _ label: Range<Int>, _ isFolded: Bool) -> Bool {
    var offset = label.lowerBound + 8
    var word = Int(edge.words) + 1
    while offset < label.upperBound {
      let loaded = ByteWords.load(bytes, at: offset, count: label.upperBound - offset)
      if words[word] != (isFolded ? ByteWords.lowercase(loaded) : loaded) { return false }
      offset += 8
      word += 1
    }
    return true
  }
}
