import Interception
import Testing

@testable import ResponseCaching

@Suite struct CacheControlTests {
  @Test("Directives are parsed ignoring case, and quoted commas don't separate")
  func directives() {
    #expect(CacheControl("private, No-Store").noStore)
    #expect(!CacheControl("x=\"no-store, no-cache\"").noStore)
    #expect(!CacheControl("no-storex, no_cache").noStore)
    #expect(CacheControl(" NO-CACHE ").noCache)
    #expect(CacheControl(nil) == CacheControl(""))
    let control = CacheControl(
      "public, must-revalidate, proxy-revalidate, s-maxage=5, max-age=6, immutable, must-understand, "
        + "stale-while-revalidate=7, stale-if-error=8")
    #expect(control.isPublic && control.mustRevalidate && control.proxyRevalidate)
    #expect(control.isImmutable && control.mustUnderstand && !control.isPrivate)
    #expect(control.sharedMaxAge == .seconds(5))
    #expect(control.maxAge == .seconds(6))
    #expect(control.staleWhileRevalidate == .seconds(7))
    #expect(control.staleIfError == .seconds(8))
  }

  @Test(
    "A quote without an end hides no directive that restricts the cache, and grants no permission",
    arguments: [
      "max-age=\"60, no-store", "x=\"a, no-store\", y=\"b", "\"no-store", "x=\"\\\", no-store",
      "x=\", public, no-store, stale-if-error=9, stale-while-revalidate=9, immutable, max-stale",
    ])
  func unterminated(_ value: String) {
    let control = CacheControl(value)
    #expect(control.noStore)
    #expect(!control.isPublic && !control.isImmutable)
    #expect(control.staleIfError == nil && control.staleWhileRevalidate == nil && control.maxStale == nil)
  }

  @Test("A lifetime with an unterminated quote is zero")
  func unterminatedLifetime() {
    #expect(CacheControl("max-age=\"60").maxAge == .zero)
    #expect(CacheControl("no-cache=\"a, max-age=5").noCache)
    #expect(CacheControl("private=\"a").isPrivate)
  }

  @Test(
    "The lists of no-cache and private name fields; a list that can't be obeyed means the whole response",
    arguments: [
      ("no-cache=\"Set-Cookie\"", ["set-cookie"], false), ("no-cache=x-a", ["x-a"], false),
      ("no-cache=\" a , B \", max-age=3", ["a", "b"], false), ("no-cache", [], true),
      ("no-cache=", [], true), ("no-cache=\"\"", [], true), ("no-cache=\"a b\"", [], true),
      ("no-cache=\"a,\"", [], true), ("no-cache=\"a, Date\"", [], true),
      ("no-cache=\"a\", no-cache", ["a"], true),
      ("no-cache=\"a\", no-cache=\"b\"", ["a", "b"], false),
    ] as [(String, [String], Bool)])
  func lists(_ value: String, fields: [String], whole: Bool) {
    let control = CacheControl(value)
    #expect(control.noCacheFields == fields)
    #expect(control.noCache == whole)
    let same = CacheControl(value.replacing("no-cache", with: "private"))
    #expect(same.privateFields == fields)
    #expect(same.isPrivate == whole)
  }

  @Test("The directives of requests are parsed; of several, the strictest counts")
  func requests() {
    #expect(CacheControl("max-stale").maxStale == .seconds(1 << 31))
    #expect(CacheControl("max-stale=10").maxStale == .seconds(10))
    #expect(CacheControl("max-stale=10, max-stale=5").maxStale == .seconds(5))
    #expect(CacheControl("max-stale=x").maxStale == .zero)
    #expect(CacheControl("min-fresh=10, min-fresh=5").minFresh == .seconds(10))
    #expect(CacheControl("min-fresh=x").minFresh == .seconds(1 << 31))
    #expect(CacheControl("only-if-cached").onlyIfCached)
    #expect(CacheControl("no-store").maxStale == nil)
  }
}
