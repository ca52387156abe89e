import EstateNetwork
import Switchyard
import Testing

@Suite("A stored copy")
struct StoredCopyTests {
  private func copy(_ status: Exchange.CacheStatus?, age: String?) -> StoredCopy? {
    var fields = HTTPFields()
    fields[.age] = age
    return StoredCopy(
      APIResponse(
        api: APIIdentity(service: "estate", name: "homes.detail"), headerFields: fields, bytes: [],
        exchange: Exchange(cache: status)))
  }

  @Test(
    "The sentence says why it is shown, and how old it is in the largest whole unit",
    arguments: [
      (.hit(ttl: 48), "12", "This is a stored copy, 12 s old."),
      (.hit(ttl: -200), "260", "This is a stored copy, 4 min old."),
      (
        .staleOnError(status: nil, ttl: -7_140), "7200",
        "The server can't be reached; this is a stored copy, 2 h old."
      ),
      (
        .staleOnError(status: 503, ttl: -172_740), "172800",
        "The server has failed; this is a stored copy, 2 days old."
      ),
      (.hit(ttl: -1), nil, "This is a stored copy of unknown age."),
    ] as [(Exchange.CacheStatus, String?, String)])
  func sentence(status: Exchange.CacheStatus, age: String?, expected: String) {
    #expect(copy(status, age: age)?.sentence == expected)
  }

  @Test(
    "What the server has sent or confirmed is no copy",
    arguments: [nil, .forwarded(.uriMiss, stored: true), .revalidated(), .unsatisfied]
      as [Exchange.CacheStatus?])
  func server(status: Exchange.CacheStatus?) {
    #expect(copy(status, age: "12") == nil)
  }
}
