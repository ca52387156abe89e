#if SQLite
import DurableQueues
import HTTPTypes
import Interception

extension Mutation {
  /// The mutation as the bytes that are stored; `attempts` is stored beside them.
  var record: [UInt8] {
    var writer = RecordWriter()
    writer.append(id)
    writer.append(resource)
    writer.append(time.seconds)
    writer.append(time.nanoseconds)
    writer.append(partition)
    writer.append(api == nil ? 0 : 1)
    writer.append(api?.service ?? "")
    writer.append(api?.name ?? "")
    writer.append(head.method.rawValue)
    for part in [head.scheme, head.authority, head.path] { writer.append(part ?? "") }
    writer.append(head.headerFields.count)
    for field in head.headerFields {
      writer.append(field.name.rawName)
      writer.append(field.value)
    }
    writer.append(body)
    return writer.finish()
  }

  /// Decodes the bytes that were stored.
  init(record: [UInt8], attempts: Int) throws(RecordDamage) {
    var reader = try RecordReader(record)
    id = try reader.text()
    resource = try reader.text()
    time = WallTime(secondsSince1970: try reader.number(), nanoseconds: try reader.number())
    partition = try reader.text()
    let hasAPI = try reader.number() == 1
    let (service, name) = (try reader.text(), try reader.text())
    api = hasAPI ? APIIdentity(service: service, name: name) : nil
    guard let method = HTTPRequest.Method(rawValue: try reader.text()) else { throw RecordDamage() }
    let (scheme, authority, path) = (try reader.text(), try reader.text(), try reader.text())
    var fields = HTTPFields()
    for _ in 0..<(try reader.count()) {
      guard let name = HTTPField.Name(try reader.text()) else { throw RecordDamage() }
      fields.append(HTTPField(name: name, value: try reader.text()))
    }
    head = HTTPRequest(
      method: method, scheme: scheme, authority: authority, path: path, headerFields: fields)
    body = try reader.bytes()
    self.attempts = attempts
    guard reader.isAtEnd else { throw RecordDamage() }
  }
}
#endif
