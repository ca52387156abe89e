import HTTPTypes
import Interception
import Testing

@testable import BodyCompression

@Suite struct ResourceCodingsTests {
  private func resource(_ path: String, authority: String = "a.test") -> ResourceCodings.Resource {
    ResourceCodings.Resource(HTTPRequest(method: .post, scheme: "https", authority: authority, path: path))
  }

  @Test(
    "The rule, the announced codings and the refused ones decide",
    arguments: [
      (.never, nil, [], nil), (.never, [.gzip], [], nil), (.whereAccepted, nil, [], nil),
      (.whereAccepted, [], [], nil), (.whereAccepted, [.brotli, .gzip], [], .brotli),
      (.whereAccepted, [.brotli, .gzip], [.brotli], .gzip), (.whereAccepted, [.gzip], [.gzip], nil),
      (.unlessRefused(.zstd), nil, [], .zstd), (.unlessRefused(.zstd), nil, [.zstd], nil),
      (.unlessRefused(.zstd), nil, [.gzip], .zstd), (.unlessRefused(.zstd), [.gzip], [], .gzip),
      (.unlessRefused(.zstd), [.gzip, .zstd], [.gzip], .zstd), (.unlessRefused(.zstd), [], [], nil),
    ] as [(RequestCompression, [ContentCoding]?, [ContentCoding], ContentCoding?)])
  func rules(
    rule: RequestCompression, accepted: [ContentCoding]?, refused: [ContentCoding], coding: ContentCoding?
  ) {
    for isRefusedFirst in [false, true] {
      var codings = ResourceCodings()
      if isRefusedFirst { codings.noteRefused(refused, by: resource("/"), at: .zero) }
      if let accepted { codings.noteAccepted(accepted, by: resource("/"), at: .zero) }
      if !isRefusedFirst { codings.noteRefused(refused, by: resource("/"), at: .zero) }
      #expect(codings.coding(for: resource("/"), by: rule, at: .zero) == coding)
    }
  }

  @Test("An announcement applies to one resource: authority in any case, path without query")
  func resources() {
    var codings = ResourceCodings()
    #expect(codings.isEmpty)
    codings.noteAccepted([.gzip], by: resource("/x?page=1"), at: .zero)
    func coding(_ resource: ResourceCodings.Resource) -> ContentCoding? {
      codings.coding(for: resource, by: .whereAccepted, at: .zero)
    }
    #expect(coding(resource("/x?page=2", authority: "A.Test")) == .gzip)
    #expect(coding(resource("/y")) == nil)
    #expect(coding(resource("/x", authority: "b.test")) == nil)
    #expect(coding(resource("/X")) == nil)
    #expect(!codings.isEmpty)
  }

  @Test("The last announcement applies, until its lifetime ends")
  func announcements() {
    var codings = ResourceCodings(lifetime: .seconds(10))
    func coding(at seconds: Int) -> ContentCoding? {
      codings.coding(for: resource("/x"), by: .whereAccepted, at: .seconds(seconds))
    }
    codings.noteAccepted([.gzip], by: resource("/x"), at: .seconds(5))
    #expect(coding(at: 14) == .gzip && coding(at: 15) == nil)
    codings.noteAccepted([.brotli], by: resource("/x"), at: .seconds(14))
    #expect(coding(at: 23) == .brotli && coding(at: 24) == nil)
    codings.noteAccepted([], by: resource("/x"), at: .seconds(20))
    #expect(coding(at: 20) == nil)
  }

  @Test("A refusal overrides announcements, until its lifetime ends")
  func refusalsStand() {
    var codings = ResourceCodings(lifetime: .seconds(10))
    func coding(at seconds: Int) -> ContentCoding? {
      codings.coding(for: resource("/x"), by: .unlessRefused(.gzip), at: .seconds(seconds))
    }
    codings.noteAccepted([.gzip], by: resource("/x"), at: .zero)
    codings.noteRefused([.gzip], by: resource("/x"), at: .seconds(5))
    codings.noteAccepted([.gzip], by: resource("/x"), at: .seconds(13))
    codings.noteRefused([.gzip], by: resource("/x"), at: .seconds(14))
    #expect(coding(at: 14) == nil)
    #expect(coding(at: 15) == .gzip)
  }

  @Test("The oldest resources are evicted beyond the capacity")
  func capacity() {
    var codings = ResourceCodings(capacity: 3)
    for second in 0..<100 { codings.noteAccepted([.gzip], by: resource("/\(second)"), at: .seconds(second)) }
    #expect(codings.count == 3)
    func isKnown(_ number: Int) -> Bool {
      codings.coding(for: resource("/\(number)"), by: .whereAccepted, at: .seconds(100)) == .gzip
    }
    #expect(!isKnown(96) && isKnown(97) && isKnown(99))
  }
}
