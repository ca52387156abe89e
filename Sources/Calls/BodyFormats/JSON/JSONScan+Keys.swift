import Interception

extension JSONScan {
  /// Returns the offset of a key that occurs before among the last keys, those of an object, or nil, and
  /// whether their hashes are all different; reorders more than 16 keys, of which it doesn't say that.
  ///
  /// The time is bounded by n log n comparisons of keys, also if their hashes are equal by intent.
  static func duplicate(
    among keys: inout [Key], from first: Int, in bytes: Span<UInt8>
  ) -> (duplicate: Int?, areDistinct: Bool) {
    guard keys[first...].allSatisfy(\.isPlain) else {
      return (duplicate(amongTexts: keys[first...], in: bytes), false)
    }
    if keys.count - first <= 16 {
      var areDistinct = true
      for later in first..<keys.count {
        for earlier in first..<later where keys[earlier].hash == keys[later].hash {
          areDistinct = false
          if areEqual(keys[earlier], keys[later], in: bytes) { return (keys[later].start, false) }
        }
      }
      return (nil, areDistinct)
    }
    keys[first...].sort { left, right in
      if left.hash != right.hash { return left.hash < right.hash }
      let order = compare(left, right, in: bytes)
      return order != 0 ? order < 0 : left.start < right.start
    }
    var duplicate: Int?
    for (left, right) in zip(keys[first...], keys[first...].dropFirst())
    where left.hash == right.hash && areEqual(left, right, in: bytes) {
      duplicate = min(duplicate ?? right.start, right.start)
    }
    return (duplicate, false)
  }

  /// Compares keys as decoders do, which remove escapes first.
  ///
  /// Swift's decoder also considers canonically equivalent texts to be one key.
  private static func duplicate(amongTexts keys: ArraySlice<Key>, in bytes: Span<UInt8>) -> Int? {
    var seen: Set<String> = []
    for key in keys where !seen.insert(text(of: key, in: bytes)).inserted { return key.start }
    return nil
  }

  private static func areEqual(_ left: Key, _ right: Key, in bytes: Span<UInt8>) -> Bool {
    compare(left, right, in: bytes) == 0
  }

  /// Returns a negative number, zero or a positive number; of two keys, a shorter one is less.
  private static func compare(_ left: Key, _ right: Key, in bytes: Span<UInt8>) -> Int {
    let count = left.end - left.start
    guard count == right.end - right.start else { return count - (right.end - right.start) }
    for place in 0..<count {
      let (one, other) = (bytes[left.start + place], bytes[right.start + place])
      if one != other { return Int(one) - Int(other) }
    }
    return 0
  }

  /// Returns a key with its escapes removed; an invalid escape is left as it is, for the decoder to refuse.
  static func text(of key: Key, in bytes: Span<UInt8>) -> String {
    var units: [UInt8] = []
    var pending: [UInt16] = []
    var index = key.start
    func flush() {
      if pending.isEmpty { return }
      units += Array(String(decoding: pending, as: UTF16.self).utf8)
      pending = []
    }
    while index < key.end {
      let byte = bytes[index]
      guard byte == UInt8(ascii: "\\"), index + 1 < key.end else {
        flush()
        units.append(byte)
        index += 1
        continue
      }
      if bytes[index + 1] == UInt8(ascii: "u"), index + 5 < key.end,
        let unit = hexadecimal(in: bytes, from: index + 2)
      {
        pending.append(unit)
        index += 6
      } else {
        flush()
        units.append(character(escapedBy: bytes[index + 1]))
        index += 2
      }
    }
    flush()
    return String(decoding: units, as: UTF8.self)
  }

  private static func character(escapedBy byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: byte
    }
  }

  private static func hexadecimal(in bytes: Span<UInt8>, from start: Int) -> UInt16? {
    var value: UInt16 = 0
    for place in start..<(start + 4) {
      guard let digit = bytes[place].hexadecimalValue else { return nil }
      value = value << 4 | UInt16(digit)
    }
    return value
  }
}
