import BodyFormats
import Interception
import SwitchyardTesting
import Testing

@Suite struct FormFieldsTests {
  private struct Numbers: Encodable, Sendable {
    var least = Int.min
    var greatest = Int.max
    var zero = 0
    var small: Int8 = -7
    var wide = UInt64.max
    var fourth: Int32 = -40
    var eighth: Int64 = 90
    var half = 0.5
    var half32: Float = 0.5
    var isSet = false
    var none: Int?
  }

  private struct Search: Encodable, Sendable {
    var city: String
    var tags: [String] = []
  }

  /// A value that encodes itself as another one, or as a list.
  private struct Wrapped: Encodable, Sendable {
    var search = Search(city: "Metz", tags: ["a"])
    func encode(to encoder: any Encoder) throws { try search.encode(to: encoder) }
  }

  @Test("Fields have the text of a form, whatever their bytes")
  func fields() {
    var random = SeededRandom(seed: 7)
    let characters = Array("aZ09-._~ &=+%?#/é\u{0}\u{1F3E0}\n")
    for _ in 0..<2_000 {
      let fields = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        let (name, value) = (
          String((0..<3).compactMap { _ in characters.randomElement(using: &random) }),
          String(
            (0..<Int.random(in: 0...20, using: &random)).compactMap { _ in
              characters.randomElement(using: &random)
            })
        )
        return (name, value)
      }
      let expected = fields.map { "\(PercentEncoding.component($0))=\(PercentEncoding.component($1))" }
        .joined(separator: "&")
      #expect(FormFields(fields).encoded == expected)
      #expect(FormFields(fields).appended(to: "/p") == (expected.isEmpty ? "/p" : "/p?" + expected))
    }
  }

  @Test("Numbers of every type are written in decimal digits")
  func numbers() throws {
    #expect(
      try FormFields(encoding: Numbers()).encoded
        == "least=-9223372036854775808&greatest=9223372036854775807&zero=0&small=-7"
        + "&wide=18446744073709551615&fourth=-40&eighth=90&half=0.5&half32=0.5&isSet=false")
  }

  @Test("Params that encode themselves as an object have its fields, and a list has no names")
  func wrapped() throws {
    #expect(try FormFields(encoding: Wrapped()).encoded == "city=Metz&tags=a")
    #expect(throws: FormEncodingError.nested(field: nil)) { try FormFields(encoding: [1, 2]) }
    #expect(throws: FormEncodingError.nested(field: nil)) { try FormFields(encoding: "text") }
  }

  @Test("Common fields are left out if a field has their name, and only then")
  func common() {
    var fields: FormFields = ["a b": "1", "page": "x&app=2"]
    fields.append(common: ["a b": "2", "a": "3", "app": "4", "app": "5", "page2": "6"])
    #expect(fields.encoded == "a%20b=1&page=x%26app%3D2&a=3&app=4&app=5&page2=6")
    var empty = FormFields()
    empty.append(common: ["a": "1"])
    #expect(empty.encoded == "a=1")
  }
}
