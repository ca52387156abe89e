/// A strict parser of multipart bodies by the grammar of RFC 2046, independent of the code that writes them.
struct StrictMultipart {
  struct Part: Equatable {
    var fields: [String] = []
    var content: [UInt8] = []
  }

  struct Malformed: Error { let place: String }

  let parts: [Part]

  init(_ bytes: [UInt8], boundary: String) throws {
    let delimiter = Array("--\(boundary)".utf8)
    var rest = bytes[...]
    guard rest.starts(with: delimiter) else { throw Malformed(place: "first boundary") }
    rest = rest.dropFirst(delimiter.count)
    var parts: [Part] = []
    while !rest.starts(with: Array("--".utf8)) {
      guard rest.starts(with: [13, 10]) else { throw Malformed(place: "end of boundary") }
      rest = rest.dropFirst(2)
      var part = Part()
      while true {
        guard let end = Self.find([13, 10], in: rest) else { throw Malformed(place: "header") }
        let line = rest[..<end]
        rest = rest[(end + 2)...]
        if line.isEmpty { break }
        guard !line.contains(where: { $0 < 32 }) else { throw Malformed(place: "control byte in header") }
        part.fields.append(String(decoding: line, as: UTF8.self))
      }
      guard let end = Self.find([13, 10] + delimiter, in: rest) else { throw Malformed(place: "content") }
      part.content = Array(rest[..<end])
      parts.append(part)
      rest = rest[(end + 2 + delimiter.count)...]
    }
    guard rest.elementsEqual(Array("--\r\n".utf8)) else { throw Malformed(place: "end") }
    self.parts = parts
  }

  private static func find(_ wanted: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    var index = bytes.startIndex
    while index + wanted.count <= bytes.endIndex {
      if bytes[index] == wanted[0], bytes[index..<(index + wanted.count)].elementsEqual(wanted) {
        return index
      }
      index += 1
    }
    return nil
  }
}
