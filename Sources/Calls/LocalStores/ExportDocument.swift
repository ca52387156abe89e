#if SQLite
/// The document with everything that a store has.
struct ExportDocument: Sendable {
  private let account: String
  /// The version of the schema.
  var version = 1
  private var values: [(name: String, json: [UInt8])] = []
  private var collections: [String: [[UInt8]]] = [:]

  init(account: String) { self.account = account }

  /// Adds a value or an item, which are valid JSON.
  mutating func add(_ json: [UInt8], at address: LocalAddress) {
    if address.collection.isEmpty {
      values.append((address.id, json))
    } else {
      collections[address.collection, default: []].append(json)
    }
  }

  /// The document as JSON, with sorted names.
  func bytes() throws(LocalStoreError) -> [UInt8] {
    var bytes = Array(#"{"account":"#.utf8)
    bytes += try LocalCoding.encode(account, of: "The account")
    bytes += Array(",\"version\":\(version),\"values\":{".utf8)
    for (index, value) in values.sorted(by: { $0.name < $1.name }).enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += try LocalCoding.encode(value.name, of: "A name")
      bytes.append(UInt8(ascii: ":"))
      bytes += value.json
    }
    bytes += Array(#"},"collections":{"#.utf8)
    for (index, collection) in collections.sorted(by: { $0.key < $1.key }).enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += try LocalCoding.encode(collection.key, of: "A name")
      bytes += Array(":[".utf8)
      for (index, item) in collection.value.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes += item
      }
      bytes.append(UInt8(ascii: "]"))
    }
    return bytes + Array("}}".utf8)
  }
}
#endif
