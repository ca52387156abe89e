import Testing

@testable import EstateWeb

@Suite("The addresses of pages")
struct WebAddressTests {
  @Test("A route's URL becomes a path of the app's own pages")
  func path() {
    #expect(WebAddress.path(of: "estate://home/42") == "/home/42")
    #expect(WebAddress.path(of: "estate://browse?city=GALT") == "/browse?city=GALT")
  }

  @Test(
    "A URL that would lead to another site, or is none of the app's, has no path",
    arguments: [
      "estate:///evil.example", "estate:////evil.example", #"estate://\evil.example"#, "estate://",
      "https://evil.example/", "",
    ])
  func foreign(url: String) {
    #expect(WebAddress.path(of: url) == nil)
  }

  @Test("Empty fields of a form are no part of a route's URL, and values are coded")
  func fields() {
    let fields = [("city", "LOS ALTOS & CO"), ("beds", ""), ("max", "90000")]
    #expect(
      WebAddress.url(of: "estate://browse", fields: fields.map { (name: $0.0, value: $0.1) })
        == "estate://browse?city=LOS%20ALTOS%20%26%20CO&max=90000")
  }
}
