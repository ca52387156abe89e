import HTTPTypes
import Interception
import Testing

@testable import APIManagers

@Suite struct NextPageTests {
  /// A value of a `Link` field, and the target of its link to the next page.
  struct Link: Sendable {
    let value: String
    let next: String?

    init(_ value: String, _ next: String?) { (self.value, self.next) = (value, next) }
  }

  static let links = [
    Link("<https://api.example/houses?page=2>; rel=\"next\"", "https://api.example/houses?page=2"),
    Link("</houses?page=2>;rel=next", "/houses?page=2"),
    Link("<a>; rel=prev, <b>; rel=next, <c>; rel=last", "b"),
    Link("<a>; rel=\"prev next\"", "a"), Link("<a>; rel=\"prev  NEXT \"", "a"), Link("<a> ; REL = Next", "a"),
    Link("<a>; title=\"x, <b>; rel=next\"; rel=prev, <c>; rel=\"next\"", "c"),
    Link("<a>; title=\"\\\"; rel=next\"; rel=prev", nil), Link("<a>; rel=prev; rel=next", nil),
    Link("<a>; rel=next; anchor=\"/other\"", nil), Link("<a>; rel=next; anchor=\"\", <b>; rel=next", "b"),
    Link("<a,b;c>; rel=next", "a,b;c"), Link(", ,<a>; rel=next", "a"), Link("<a>; rel=nextish", nil),
    Link("<a>; crossorigin; rel=next", "a"), Link("<a>", nil), Link("<a>; rel", nil), Link("<a", nil),
    Link("a; rel=next", nil), Link("", nil), Link("<>; rel=next", nil), Link("<a>; rel=\"next", "a"),
    Link("<a>; rel=next extra, <b>; rel=next", "a"), Link("<a>; title=\"\\", nil), Link("<é>; rel=next", "é"),
    Link("<a>;;; rel=next", "a"),
  ]

  @Test("The target of the first link of relation next is the cursor, by RFC 8288", arguments: links)
  func link(link: Link) {
    // A field value with other characters is kept as it is only if it is set from text of that encoding.
    let target = LinkTarget.target(ofRelation: "next", in: Array(link.value.utf8))
    #expect((target?.isEmpty == true ? nil : target) == link.next)
  }

  @Test("Links of several fields are read in order, and without one the page is the last")
  func fields() throws {
    let name = try #require(HTTPField.Name("link"))
    var fields = HTTPFields()
    #expect(NextPage.link(in: fields) == .cursor(nil))
    fields.append(HTTPField(name: name, value: "<a>; rel=prev"))
    fields.append(HTTPField(name: name, value: "<b>; rel=next"))
    #expect(NextPage.link(in: fields) == .cursor("b"))
  }

  @Test("Only the value of the named parameter is taken from a link")
  func parameter() throws {
    func next(_ target: String) -> NextPage {
      .link(in: [.init("link")!: "<\(target)>; rel=next"], query: "after")
    }
    #expect(next("https://evil.example/x?limit=2&after=a%20b%2Fc#after=d") == .cursor("a b/c"))
    #expect(next("?after=1&after=2") == .cursor("1"))
    #expect(NextPage.link(in: [:], query: "after") == .cursor(nil))
    for target in ["/houses?page=2", "/houses", "?after=", "?after=%FF", "#?after=1"] {
      #expect(next(target).rule == .missingParameter("after"), "\(target)")
    }
    var list = PagedList<Row>()
    let request = try #require(list.loadNext().request)
    list.receive(.success(PageContent([1], next: next("/houses"))), for: request)
    #expect(list.failure as? PagingError == .missingParameter("after"))
  }

  @Test("A relation at the end of a long value is found, and long malformed values have none")
  func longValue() {
    let value = String(repeating: "<a>; rel=prev; title=\"\\\"\\\"\", ", count: 10_000) + "<b>; rel=next"
    #expect(LinkTarget.target(ofRelation: "next", in: Array(value.utf8)) == "b")
    #expect(
      LinkTarget.target(ofRelation: "next", in: Array(repeating: UInt8(ascii: "<"), count: 200_000)) == nil)
    #expect(
      LinkTarget.target(
        ofRelation: "next", in: Array("<a>".utf8) + Array(repeating: UInt8(ascii: ";"), count: 200_000))
        == nil)
  }
}
