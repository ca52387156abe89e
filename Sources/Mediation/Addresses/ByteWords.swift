/// Eight bytes of a text at a time.
///
/// A look-up reads each byte of a URL a few times; a word at a time makes that cheap enough for it to be no cost that
/// anyone has to avoid. This is the one place that reinterprets memory: eight bytes within a span's bounds, which are checked,
/// read as an integer, for which every bit pattern is a value.
enum ByteWords {
  /// The eight bytes from an offset, the first in the lowest bits; all must lie in the span.
  @inline(__always)
  static func load(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Up to eight bytes from an offset, the first in the lowest bits, zero above them.
  @inline(__always)
  static func load(_ bytes: Span<UInt8>, at offset: Int, count: Int) -> UInt64 {
    if offset + 8 <= bytes.count { return low(load(bytes, at: offset), count) }
    if bytes.count >= 8 {
      return low(load(bytes, at: bytes.count - 8) &>> UInt64(8 * (offset + 8 - bytes.count)), count)
    }
    var word: UInt64 = 0
    for position in 0..<min(count, 8) { word |= UInt64(bytes[offset + position]) &<< UInt64(8 * position) }
    return word
  }

  @inline(__always)
  private static func low(_ word: UInt64, _ count: Int) -> UInt64 {
    count >= 8 ? word : word & ((1 &<< UInt64(8 * count)) &- 1)
  }

  /// The byte in each of the eight places.
  @inline(__always)
  static func each(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

  /// The highest bit of each byte that equals `byte`, which is ASCII.
  @inline(__always)
  static func places(of byte: UInt8, in word: UInt64) -> UInt64 {
    let ascii = word & each(0x7F)
    return ~((ascii ^ each(byte)) &+ each(0x7F)) & ~word & each(0x80)
  }

  /// The highest bit of each byte that the profile looks at in a path, a query or a fragment; every one that
  /// may not stand bare is among them, and a few harmless ones (`!`, `=`, `~`).
  @inline(__always)
  static func remarkable(in word: UInt64) -> UInt64 {
    let ascii = word & each(0x7F)
    let most = each(0x7F)
    // Each sum keeps within its byte, so its highest bit tells of that byte alone.
    var plain = ascii &+ each(0x80 - 0x24)
    plain &= (ascii ^ each(UInt8(ascii: "%"))) &+ most
    plain &= (ascii ^ each(UInt8(ascii: "/"))) &+ most
    plain &= (ascii ^ each(UInt8(ascii: "`"))) &+ most
    plain &= ((ascii & each(0x7C)) ^ each(UInt8(ascii: "<"))) &+ most
    plain &= ((ascii & each(0x7D)) ^ each(UInt8(ascii: "\\"))) &+ most
    plain &= ~(ascii &+ each(0x80 - 0x7B))
    return ~plain & ~word & each(0x80)
  }

  /// A bit for each of the 64 bytes from an offset that is remarkable, or an ampersand if those are asked for.
  ///
  /// All words are judged before any mark is looked at, so that the processor need not guess where the marks are.
  @inline(__always)
  static func marks(_ bytes: Span<UInt8>, from base: Int, ampersands: Bool = false) -> UInt64 {
    var marks: UInt64 = 0
    var offset = base
    let end = min(base + 64, bytes.count)
    while offset &+ 8 <= end {
      marks |= gathered(load(bytes, at: offset), ampersands) &<< UInt64(truncatingIfNeeded: offset &- base)
      offset &+= 8
    }
    if offset < end {
      // The zeros that fill the last word are no bytes of the text.
      let last = gathered(load(bytes, at: offset, count: end - offset), ampersands)
      marks |= (last & ((1 &<< UInt64(end - offset)) &- 1)) &<< UInt64(truncatingIfNeeded: offset &- base)
    }
    return marks
  }

  /// The marks of one word in the lowest eight bits.
  @inline(__always)
  private static func gathered(_ word: UInt64, _ ampersands: Bool) -> UInt64 {
    let flags = remarkable(in: word)
    let all = ampersands ? flags | places(of: UInt8(ascii: "&"), in: word) : flags
    return ((all &>> 7) &* 0x0102_0408_1020_4080) &>> 56
  }

  /// The word with its ASCII letters in lower case.
  @inline(__always)
  static func lowercase(_ word: UInt64) -> UInt64 {
    let ascii = word & each(0x7F)
    let fromA = ascii &+ each(0x80 - 0x41)
    let beyondZ = ascii &+ each(0x80 - 0x5B)
    return word | (fromA & ~beyondZ & ~word & each(0x80)) &>> 2
  }

  /// Adds a word to a hash.
  @inline(__always)
  static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
    return product ^ (product &>> 32)
  }

  /// The hash of a range's bytes, folded to lower case or not.
  @inline(__always)
  static func hash(_ bytes: Span<UInt8>, _ range: Range<Int>, isFolded: Bool = false) -> UInt64 {
    var hash = UInt64(range.count)
    var offset = range.lowerBound
    while offset < range.upperBound {
      let word = load(bytes, at: offset, count: range.upperBound - offset)
      hash = mix(hash, isFolded ? lowercase(word) : word)
      offset += 8
    }
    return hash
  }
}
