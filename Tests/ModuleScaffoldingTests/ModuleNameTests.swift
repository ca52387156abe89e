import ModuleScaffolding
import Testing

@Suite struct ModuleNameTests {
  @Test(arguments: ["Offers", "A", "Offers2", "HomeDetail"])
  func `a name of letters and digits is taken`(text: String) throws {
    #expect(try ModuleName(text, taken: ["Listings", "OffersX"]).text == text)
  }

  @Test(
    "A name that can't be a module's is refused with a reason",
    arguments: [
      ("", "is no module's name"), ("offers", "is no module's name"), ("My Offers", "is no module's name"),
      ("../Offers", "is no module's name"), ("Offers\"", "is no module's name"),
      ("Öffers", "is no module's name"),
      ("2Offers", "is no module's name"), (String(repeating: "A", count: 65), "is no module's name"),
      ("Network", "a module of Swift or the system"), ("FOUNDATION", "a module of Swift or the system"),
      ("Self", "a module of Swift or the system"), ("OffersRoutes", "ends in Routes"),
      ("OffersTests", "ends in Tests"), ("OffersModule", "ends in Module"),
      ("Listings", "knows 'Listings' already"),
      ("LISTINGS", "knows 'Listings' already"), ("Loans", "knows 'LoansRoutes' already"),
    ])
  func refused(text: String, reason: String) throws {
    let fault = #expect(throws: ModuleName.Fault.self) {
      try ModuleName(text, taken: ["Listings", "LoansRoutes"])
    }
    #expect(try #require(fault).description.contains(reason), "\(String(describing: fault))")
  }
}
