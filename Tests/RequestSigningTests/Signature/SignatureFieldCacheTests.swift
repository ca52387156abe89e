import HTTPTypes
import Interception
import Testing

@testable import RequestSigning

@Suite struct SignatureFieldCacheTests {
  @Test("Cached API fields equal newly created ones, beyond the capacity too")
  func apiFields() {
    let fields = SignatureFieldCache()
    for round in 0..<2 {
      for number in 0..<(SignatureFieldCache.capacity + 10) {
        let api = APIIdentity(service: "estate/\(number)", name: "houses")
        #expect(fields.api(api).value == "estate%2f\(number)/houses", "\(round)")
      }
    }
    #expect(fields.api(APIIdentity(service: "a", name: "b")).name == SignatureFields.api)
  }

  @Test("The time field is reused within the same second only")
  func timeFields() {
    let fields = SignatureFieldCache()
    let first = fields.time(WallTime(secondsSince1970: 1_700_000_000, nanoseconds: 5))
    #expect(first.value == "1700000000")
    #expect(first.name == SignatureFields.time)
    #expect(first.indexingStrategy == .disallow)
    #expect(fields.time(WallTime(secondsSince1970: 1_700_000_000, nanoseconds: 999)) == first)
    #expect(fields.time(WallTime(secondsSince1970: 1_700_000_001)).value == "1700000001")
    #expect(fields.time(WallTime(secondsSince1970: 1_699_999_999)).value == "1699999999")
    #expect(fields.time(WallTime(secondsSince1970: -1)).value == "-1")
  }
}
