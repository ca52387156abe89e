#if SQLite
import DurableQueues
import Interception

extension ActivityEvent {
  /// The event as the bytes that are stored.
  var record: [UInt8] {
    var writer = RecordWriter()
    writer.append(id)
    writer.append(name)
    writer.append(time.seconds)
    writer.append(time.nanoseconds)
    writer.append(attributes.count)
    for (key, value) in attributes {
      writer.append(key)
      switch value {
      case .string(let text):
        writer.append(0)
        writer.append(text)
      case .integer(let number):
        writer.append(1)
        writer.append(number)
      case .number(let number):
        writer.append(2)
        writer.append(Int64(bitPattern: number.bitPattern))
      case .boolean(let isTrue): writer.append(isTrue ? 4 : 3)
      }
    }
    return writer.finish()
  }

  /// Decodes the bytes that were stored.
  init(record: [UInt8]) throws(RecordDamage) {
    var reader = try RecordReader(record)
    let id = try reader.text()
    let name = try reader.text()
    let time = WallTime(secondsSince1970: try reader.number(), nanoseconds: try reader.number())
    let count = try reader.count()
    var attributes: [String: Value] = [:]
    for _ in 0..<count {
      let key = try reader.text()
      attributes[key] =
        switch try reader.number() {
        case 0: .string(try reader.text())
        case 1: .integer(try reader.number())
        case 2: .number(Double(bitPattern: UInt64(bitPattern: try reader.number())))
        case 3: .boolean(false)
        case 4: .boolean(true)
        default: throw RecordDamage()
        }
    }
    guard reader.isAtEnd else { throw RecordDamage() }
    self.init(name, attributes, time: time, id: id)
  }
}
#endif
