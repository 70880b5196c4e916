/* Ticket to Ride (USA) in C: the yardstick that scripts/bench holds the engine against.
 * The rules of the USA board, final scoring included, played by a bot that lists all legal actions and takes any
 * (0) and one that follows the shortest ways of its tickets (1). One game after the other, one thread, no allocation. */
#include <stdint.h>
#include <string.h>
#define MAXP 5
#define MAXR 100
#define MAXV 36
#define MAXT 30
#define LOCO 8
#define BLIND 5
#define INF 10000
#define N_LOG 17
#define N_RES (2 + 5 * MAXP)
#define MAX_TURNS 700
enum { DRAW, CLAIM, TICKETS, KEEP, PASS };
enum { PH_FIRST, PH_TURN, PH_SECOND, PH_KEEP, PH_OVER };
typedef int32_t i4;
typedef struct {
    i4 n_cities, n_routes, n_tickets, start_trains, last_round_at, close_doubles_upto, longest_bonus;
    i4 r_a[100], r_b[100], r_len[100], r_col[100], r_pts[100], r_twin[100];
    i4 adj_start[37], adj_city[200], adj_route[200], t_a[30], t_b[30], t_pts[30], deck0[9];
} Board;
typedef struct {
    uint64_t rng;
    i4 n_players, cur, phase, turn, final, passes, version, deck_n, disc_n, tq_head, tq_n, off_n, off_min, face_n,
        n_legal, wplan_n, l_kind, l_route, l_col, l_loco, l_src1, l_card1, l_src2, l_card2, l_off, l_kept;
    i4 hand[MAXP][9], hand_n[MAXP], trains[MAXP], score[MAXP];
    int8_t deck[112];
    i4 disc[9], face[5], owner[MAXR], comp[MAXP][MAXV], tq[MAXT], tk[MAXP][MAXT], tk_n[MAXP], off[4];
    i4 plan[MAXP][48], plan_n[MAXP], plan_ver[MAXP];
    i4 w[MAXR], dist[MAXV], prev[MAXV], done[MAXV], wplan[48], cand[MAXT], need[9], legal[3000];
    i4 lp_stack[64], lp_pos[64], lp_used[MAXR], lp_edge[64], lp_deg[MAXV];
} State;
typedef const Board *B;
typedef State *S;
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static inline uint64_t mix64(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}
static inline i4 randint(S s, i4 n) {
    s->rng += 0x9E3779B97F4A7C15ULL;
    return (i4)(((mix64(s->rng) >> 32) * (uint64_t)n) >> 32);
}
static i4 draw_deck(S s) {
    if (s->deck_n == 0) {
        if (s->disc_n == 0) return -1;
        i4 k = 0;
        for (i4 c = 0; c < 9; c++) {
            for (i4 j = 0; j < s->disc[c]; j++) s->deck[k++] = (int8_t)c;
            s->disc[c] = 0;
        }
        s->deck_n = k;
        s->disc_n = 0;
    }
    i4 j = randint(s, s->deck_n), c = s->deck[j];
    s->deck[j] = s->deck[--s->deck_n];
    return c;
}
static void fill_face(S s) {
    for (;;) {
        i4 locos = 0, filled = 0;
        for (i4 i = 0; i < 5; i++) {
            if (s->face[i] < 0) s->face[i] = draw_deck(s);
            filled += s->face[i] >= 0;
            locos += s->face[i] == LOCO;
        }
        s->face_n = filled;
        if (locos < 3) return;
        i4 total = s->deck_n + s->disc_n + filled, plain = filled - locos + s->disc_n - s->disc[LOCO];
        for (i4 i = 0; i < s->deck_n; i++) plain += s->deck[i] != LOCO;
        if (plain < MIN(5, total) - 2) return;
        for (i4 i = 0; i < 5; i++)
            if (s->face[i] >= 0) { s->disc[s->face[i]]++; s->disc_n++; s->face[i] = -1; }
    }
}
static void offer(B b, S s, i4 n, i4 least) {
    n = MIN(n, s->tq_n);
    for (i4 i = 0; i < n; i++) { s->off[i] = s->tq[s->tq_head]; s->tq_head = (s->tq_head + 1) % b->n_tickets; }
    s->tq_n -= n; s->off_n = n; s->off_min = MIN(least, n);
}
static void clear_log(S s) {
    s->l_kind = s->l_route = s->l_col = s->l_loco = s->l_src1 = s->l_card1 = s->l_src2 = s->l_card2 = -1;
    s->l_off = s->l_kept = 0;
}
static void setup(B b, S s, i4 np, uint64_t run_seed, uint64_t game) {
    s->rng = mix64(run_seed ^ mix64(game + 0x9E3779B97F4A7C15ULL));
    s->n_players = np; s->cur = 0; s->turn = 0; s->final = -1; s->passes = 0; s->version = 0; s->disc_n = 0;
    i4 k = 0;
    for (i4 c = 0; c < 9; c++) { for (i4 j = 0; j < b->deck0[c]; j++) s->deck[k++] = (int8_t)c; s->disc[c] = 0; }
    s->deck_n = k;
    for (i4 r = 0; r < b->n_routes; r++) s->owner[r] = -1;
    for (i4 p = 0; p < np; p++) {
        s->trains[p] = b->start_trains; s->score[p] = 0; s->tk_n[p] = 0; s->plan_ver[p] = -1; s->plan_n[p] = 0;
        for (i4 c = 0; c < 9; c++) s->hand[p][c] = 0;
        for (i4 v = 0; v < b->n_cities; v++) s->comp[p][v] = v;
        for (i4 i = 0; i < 4; i++) s->hand[p][draw_deck(s)]++;
        s->hand_n[p] = 4;
    }
    for (i4 i = 0; i < 5; i++) s->face[i] = -1;
    fill_face(s);
    i4 n = b->n_tickets;
    for (i4 i = 0; i < n; i++) s->tq[i] = i;
    for (i4 i = 0; i < n - 1; i++) { i4 j = i + randint(s, n - i), t = s->tq[i]; s->tq[i] = s->tq[j]; s->tq[j] = t; }
    s->tq_head = 0; s->tq_n = n; s->phase = PH_FIRST;
    offer(b, s, 3, 2);
    clear_log(s);
}
static inline int route_open(B b, S s, i4 r, i4 p) {
    if (s->owner[r] >= 0) return 0;
    i4 q = b->r_twin[r];
    return !(q >= 0 && s->owner[q] >= 0 && (s->n_players <= b->close_doubles_upto || s->owner[q] == p));
}
static int second_possible(S s) {
    if (s->deck_n + s->disc_n > 0) return 1;
    for (i4 i = 0; i < 5; i++) if (s->face[i] >= 0 && s->face[i] != LOCO) return 1;
    return 0;
}
static int claim_affordable(B b, S s, i4 p) {
    for (i4 r = 0; r < b->n_routes; r++)
        if (s->trains[p] >= b->r_len[r] && route_open(b, s, r, p)) {
            i4 k = 0;
            if (b->r_col[r] == LOCO) { for (i4 c = 0; c < 8; c++) k = MAX(k, s->hand[p][c]); }
            else k = s->hand[p][b->r_col[r]];
            if (k + s->hand[p][LOCO] >= b->r_len[r]) return 1;
        }
    return 0;
}
static void end_turn(S s) {
    i4 p = s->cur;
    if (s->final >= 0) { if (--s->final == 0) { s->phase = PH_OVER; return; } }
    else if (s->trains[p] <= 2) s->final = s->n_players;
    if (s->passes >= s->n_players) { s->phase = PH_OVER; return; }
    s->cur = (p + 1) % s->n_players; s->turn++; s->phase = PH_TURN;
}
int apply(B b, S s, i4 action) {
    i4 kind = action & 7, a = (action >> 3) & 255, p = s->cur;
    if (kind == DRAW) {
        int second = s->phase == PH_SECOND;
        i4 c;
        if (!(second || s->phase == PH_TURN)) return -1;
        if (a < 5) {
            c = s->face[a];
            if (c < 0 || (second && c == LOCO)) return -1;
            s->face[a] = -1;
            fill_face(s);
        } else if (a == BLIND) { c = draw_deck(s); if (c < 0) return -1; }
        else return -1;
        s->hand[p][c]++; s->hand_n[p]++;
        if (second) { s->l_src2 = a; s->l_card2 = c; }
        else {
            s->l_kind = DRAW; s->l_src1 = a; s->l_card1 = c;
            if (!(a < 5 && c == LOCO) && second_possible(s)) { s->phase = PH_SECOND; return 0; }
        }
        s->passes = 0;
        return 1;
    }
    if (kind == CLAIM) {
        if (s->phase != PH_TURN || a >= b->n_routes) return -1;
        i4 r = a, c = (action >> 11) & 15, nl = (action >> 15) & 15, n = b->r_len[r];
        if (s->trains[p] < n || !route_open(b, s, r, p)) return -1;
        if (nl > n || nl > s->hand[p][LOCO] || c > LOCO) return -1;
        if ((c == LOCO) != (nl == n)) return -1;
        if (c != LOCO && (s->hand[p][c] < n - nl || (b->r_col[r] != LOCO && b->r_col[r] != c))) return -1;
        if (c != LOCO) { s->hand[p][c] -= n - nl; s->disc[c] += n - nl; }
        s->hand[p][LOCO] -= nl; s->disc[LOCO] += nl; s->hand_n[p] -= n; s->disc_n += n;
        s->trains[p] -= n; s->score[p] += b->r_pts[r]; s->owner[r] = p; s->version++;
        i4 x = s->comp[p][b->r_a[r]], y = s->comp[p][b->r_b[r]];
        if (x != y) for (i4 v = 0; v < b->n_cities; v++) if (s->comp[p][v] == y) s->comp[p][v] = x;
        if (s->face_n < 5) fill_face(s);
        s->l_kind = CLAIM; s->l_route = r; s->l_col = c; s->l_loco = nl; s->passes = 0;
        return 1;
    }
    if (kind == TICKETS) {
        if (s->phase != PH_TURN || s->tq_n == 0) return -1;
        offer(b, s, 3, 1);
        s->phase = PH_KEEP;
        return 0;
    }
    if (kind == KEEP) {
        if (s->phase != PH_KEEP && s->phase != PH_FIRST) return -1;
        i4 cnt = 0;
        for (i4 i = 0; i < s->off_n; i++) cnt += (a >> i) & 1;
        if (a >> s->off_n || cnt < s->off_min) return -1;
        s->l_kind = s->phase == PH_FIRST ? KEEP : TICKETS; s->l_off = s->off_n; s->l_kept = a;
        for (i4 i = 0; i < s->off_n; i++) {
            if ((a >> i) & 1) s->tk[p][s->tk_n[p]++] = s->off[i];
            else { s->tq[(s->tq_head + s->tq_n) % b->n_tickets] = s->off[i]; s->tq_n++; }
        }
        s->off_n = 0; s->plan_ver[p] = -1; s->passes = 0;
        return 1;
    }
    if (kind == PASS) {
        if (s->phase != PH_TURN || s->tq_n > 0 || s->deck_n + s->disc_n + s->face_n > 0 || claim_affordable(b, s, p))
            return -1;
        s->l_kind = PASS; s->passes++;
        return 1;
    }
    return -1;
}
void next_turn(B b, S s) {
    if (s->phase == PH_FIRST) {
        if (++s->cur < s->n_players) offer(b, s, 3, 2);
        else { s->cur = 0; s->turn = 1; s->phase = PH_TURN; }
    } else end_turn(s);
    clear_log(s);
}
/* ------------------------------------------------------------------ bots */
static i4 legal_actions(B b, S s) {
    i4 p = s->cur, n = 0, *L = s->legal;
    if (s->phase == PH_TURN || s->phase == PH_SECOND) {
        for (i4 i = 0; i < 5; i++)
            if (s->face[i] >= 0 && !(s->phase == PH_SECOND && s->face[i] == LOCO)) L[n++] = DRAW | i << 3;
        if (s->deck_n + s->disc_n > 0) L[n++] = DRAW | BLIND << 3;
        if (s->phase == PH_TURN) {
            if (s->tq_n > 0) L[n++] = TICKETS;
            i4 nlh = s->hand[p][LOCO];
            for (i4 r = 0; r < b->n_routes; r++) {
                i4 ln = b->r_len[r];
                if (s->trains[p] < ln || !route_open(b, s, r, p)) continue;
                i4 c0 = b->r_col[r], c1 = c0 + 1;
                if (c0 == LOCO) { c0 = 0; c1 = 8; }
                for (i4 c = c0; c < c1; c++) {
                    i4 have = s->hand[p][c];
                    if (have + nlh < ln) continue;
                    i4 hi = MIN(ln - 1, nlh);
                    for (i4 nl = MAX(0, ln - have); nl <= hi; nl++) L[n++] = CLAIM | r << 3 | c << 11 | nl << 15;
                }
                if (nlh >= ln) L[n++] = CLAIM | r << 3 | LOCO << 11 | ln << 15;
            }
            if (n == 0) L[n++] = PASS;
        }
    } else
        for (i4 m = 1; m < 1 << s->off_n; m++)
            if (__builtin_popcount(m) >= s->off_min) L[n++] = KEEP | m << 3;
    s->n_legal = n;
    return n;
}
static i4 bot_random(B b, S s) { i4 n = legal_actions(b, s); return s->legal[randint(s, n)]; }
static i4 dijkstra(B b, S s, i4 src, i4 dst) {
    i4 n = b->n_cities;
    for (i4 v = 0; v < n; v++) { s->dist[v] = INF; s->done[v] = 0; }
    s->dist[src] = 0;
    for (;;) {
        i4 u = -1, best = INF;
        for (i4 v = 0; v < n; v++) if (!s->done[v] && s->dist[v] < best) { best = s->dist[v]; u = v; }
        if (u < 0 || u == dst) return s->dist[dst];
        s->done[u] = 1;
        for (i4 k = b->adj_start[u]; k < b->adj_start[u + 1]; k++) {
            i4 r = b->adj_route[k], v = b->adj_city[k], d = best + s->w[r];
            if (d < s->dist[v]) { s->dist[v] = d; s->prev[v] = r; }
        }
    }
}
static i4 make_plan(B b, S s, i4 p, i4 extra) {
    for (i4 r = 0; r < b->n_routes; r++) {
        if (s->owner[r] == p) s->w[r] = 0;
        else if (b->r_len[r] <= s->trains[p] && route_open(b, s, r, p)) s->w[r] = b->r_len[r];
        else s->w[r] = INF;
    }
    i4 n = 0, value = 0;
    for (i4 i = 0; i < s->tk_n[p]; i++) {
        i4 t = s->tk[p][i];
        if (s->comp[p][b->t_a[t]] != s->comp[p][b->t_b[t]]) s->cand[n++] = t;
    }
    for (i4 i = 0; i < s->off_n; i++)
        if ((extra >> i) & 1) {
            i4 t = s->off[i];
            if (s->comp[p][b->t_a[t]] != s->comp[p][b->t_b[t]]) s->cand[n++] = t;
            else value += 2 * b->t_pts[t];
        }
    i4 budget = s->trains[p], m = 0;
    while (n > 0) {
        i4 k = 0;
        for (i4 i = 1; i < n; i++) if (b->t_pts[s->cand[i]] > b->t_pts[s->cand[k]]) k = i;
        i4 t = s->cand[k];
        s->cand[k] = s->cand[--n];
        i4 a = b->t_a[t], v = b->t_b[t], cost = dijkstra(b, s, a, v);
        if (cost > budget) { value -= 2 * b->t_pts[t]; continue; }
        value += 2 * b->t_pts[t] - cost;
        budget -= cost;
        while (v != a) {
            i4 r = s->prev[v];
            if (s->w[r] > 0) { s->wplan[m++] = r; s->w[r] = 0; }
            v = b->r_a[r] + b->r_b[r] - v;
        }
    }
    s->wplan_n = m;
    return value;
}
static i4 payment(B b, S s, i4 p, i4 r) {
    i4 ln = b->r_len[r];
    if (s->trains[p] < ln || !route_open(b, s, r, p)) return -1;
    i4 c = b->r_col[r];
    if (c == LOCO) {
        c = 0;
        for (i4 d = 1; d < 8; d++) {
            i4 kc = MIN(s->hand[p][c], ln), kd = MIN(s->hand[p][d], ln);
            if (kd > kc || (kd == kc && s->need[d] < s->need[c])) c = d;
        }
    }
    i4 k = MIN(s->hand[p][c], ln), nl = ln - k;
    if (nl > s->hand[p][LOCO]) return -1;
    if (k == 0) c = LOCO;
    return c | nl << 4;
}
static i4 best_claim(B b, S s, i4 p, int planned) {
    i4 best = 0, act = -1, n = planned ? s->plan_n[p] : b->n_routes;
    for (i4 i = 0; i < n; i++) {
        i4 r = planned ? s->plan[p][i] : i;
        for (i4 k = 0; k < 2; k++) {
            if (b->r_len[r] > best) {
                i4 pay = payment(b, s, p, r);
                if (pay >= 0) { best = b->r_len[r]; act = CLAIM | r << 3 | (pay & 15) << 11 | (pay >> 4) << 15; }
            }
            r = b->r_twin[r];
            if (!planned || r < 0) break;
        }
    }
    return act;
}
static i4 choose_draw(B b, S s, i4 p) {
    i4 gray = 0, g = -1, spare = 0;
    for (i4 i = 0; i < s->plan_n[p]; i++) {
        i4 r = s->plan[p][i];
        if (b->r_col[r] == LOCO && b->r_len[r] > gray) gray = b->r_len[r];
    }
    if (gray > 0) {
        g = 0;
        for (i4 c = 1; c < 8; c++) if (s->hand[p][c] - s->need[c] > s->hand[p][g] - s->need[g]) g = c;
        spare = MAX(0, s->hand[p][g] - s->need[g]);
    }
    i4 slot = -1, best = 0, loco = -1;
    for (i4 i = 0; i < 5; i++) {
        i4 c = s->face[i];
        if (c < 0) continue;
        if (c == LOCO) { loco = i; continue; }
        i4 val = MAX(0, s->need[c] - s->hand[p][c]);
        if (c == g) val += MAX(0, gray - spare);
        if (val > best) { best = val; slot = i; }
    }
    if (slot >= 0) return DRAW | slot << 3;
    if (s->phase == PH_TURN && loco >= 0) return DRAW | loco << 3;
    if (s->deck_n + s->disc_n > 0) return DRAW | BLIND << 3;
    for (i4 i = 0; i < 5; i++)
        if (s->face[i] >= 0 && (s->phase == PH_TURN || s->face[i] != LOCO)) return DRAW | i << 3;
    return -1;
}
static i4 bot_ticketpath(B b, S s) {
    i4 p = s->cur, a;
    if (s->phase == PH_FIRST || s->phase == PH_KEEP) {
        i4 best = -1000000, keep = 0;
        for (i4 m = 1; m < 1 << s->off_n; m++)
            if (__builtin_popcount(m) >= s->off_min) {
                i4 val = make_plan(b, s, p, m);
                if (val > best) { best = val; keep = m; }
            }
        return KEEP | keep << 3;
    }
    if (s->plan_ver[p] != s->version) {
        make_plan(b, s, p, 0);
        memcpy(s->plan[p], s->wplan, sizeof(i4) * s->wplan_n);
        s->plan_n[p] = s->wplan_n;
        s->plan_ver[p] = s->version;
    }
    memset(s->need, 0, sizeof s->need);
    for (i4 i = 0; i < s->plan_n[p]; i++) {
        i4 r = s->plan[p][i];
        if (b->r_col[r] != LOCO) s->need[b->r_col[r]] += b->r_len[r];
    }
    if (s->phase == PH_TURN) {
        if (s->plan_n[p] > 0) { if ((a = best_claim(b, s, p, 1)) >= 0) return a; }
        else {
            i4 few = 100;
            for (i4 q = 0; q < s->n_players; q++) if (q != p) few = MIN(few, s->trains[q]);
            if (s->trains[p] >= 12 && s->tq_n > 0 && few > 8) return TICKETS;
            if ((a = best_claim(b, s, p, 0)) >= 0) return a;
        }
    }
    if ((a = choose_draw(b, s, p)) >= 0) return a;
    if ((a = best_claim(b, s, p, 0)) >= 0) return a;
    return s->tq_n > 0 ? TICKETS : PASS;
}
/* ------------------------------------------------------------------ end of game */
static i4 lp_bound(B b, S s, i4 p, i4 lab, i4 total) {
    i4 s2 = 0, big1 = 0, big2 = 0;
    for (i4 v = 0; v < b->n_cities; v++)
        if (s->comp[p][v] == lab && (s->lp_deg[v] & 1)) {
            i4 m = 99;
            for (i4 k = b->adj_start[v]; k < b->adj_start[v + 1]; k++) {
                i4 r = b->adj_route[k];
                if (s->owner[r] == p) m = MIN(m, b->r_len[r]);
            }
            s2 += m;
            if (m > big1) { big2 = big1; big1 = m; } else if (m > big2) big2 = m;
        }
    return total - (s2 - big1 - big2 + 1) / 2;
}
i4 longest_path(B b, S s, i4 p) {
    i4 n = b->n_cities, best = 0;
    memset(s->lp_deg, 0, sizeof s->lp_deg);
    for (i4 r = 0; r < b->n_routes; r++) {
        s->lp_used[r] = 1;
        if (s->owner[r] == p) { s->lp_used[r] = 0; s->lp_deg[b->r_a[r]]++; s->lp_deg[b->r_b[r]]++; }
    }
    for (i4 lab = 0; lab < n; lab++) {
        i4 total = 0, odd = 0;
        for (i4 r = 0; r < b->n_routes; r++)
            if (s->owner[r] == p && s->comp[p][b->r_a[r]] == lab) total += b->r_len[r];
        if (total <= best) continue;
        for (i4 v = 0; v < n; v++) if (s->comp[p][v] == lab) odd += s->lp_deg[v] & 1;
        if (odd <= 2) { best = total; continue; }
        i4 bound = lp_bound(b, s, p, lab, total);
        for (i4 v = 0; v < n && best < bound; v++) {
            if (s->comp[p][v] != lab || !(s->lp_deg[v] & 1)) continue;
            i4 d = 0, length = 0;
            s->lp_stack[0] = v;
            s->lp_pos[0] = b->adj_start[v];
            while (d >= 0) {
                i4 u = s->lp_stack[d], k = s->lp_pos[d], end = b->adj_start[u + 1];
                while (k < end && s->lp_used[b->adj_route[k]]) k++;
                if (k < end) {
                    i4 r = b->adj_route[k];
                    s->lp_pos[d] = k + 1;
                    s->lp_used[r] = 1;
                    length += b->r_len[r];
                    if (length > best) {
                        best = length;
                        if (best >= bound) {
                            s->lp_used[r] = 0;
                            for (i4 i = 1; i <= d; i++) s->lp_used[s->lp_edge[i]] = 0;
                            break;
                        }
                    }
                    s->lp_edge[++d] = r;
                    u = b->adj_city[k];
                    s->lp_stack[d] = u;
                    s->lp_pos[d] = b->adj_start[u];
                } else {
                    if (d > 0) { i4 r = s->lp_edge[d]; s->lp_used[r] = 0; length -= b->r_len[r]; }
                    d--;
                }
            }
        }
    }
    return best;
}
static void finish(B b, S s, int16_t *res) {
    i4 n = s->n_players, longest = 0;
    memset(res, 0, sizeof(int16_t) * N_RES);
    res[0] = (int16_t)s->turn;
    for (i4 p = 0; p < n; p++) {
        i4 done = 0, pts = 0;
        for (i4 i = 0; i < s->tk_n[p]; i++) {
            i4 t = s->tk[p][i];
            if (s->comp[p][b->t_a[t]] == s->comp[p][b->t_b[t]]) { done++; pts += b->t_pts[t]; } else pts -= b->t_pts[t];
        }
        i4 lp = longest_path(b, s, p);
        longest = MAX(longest, lp);
        res[2 + p] = (int16_t)(s->score[p] + pts);
        res[2 + MAXP + p] = (int16_t)done;
        res[2 + 2 * MAXP + p] = (int16_t)s->tk_n[p];
        res[2 + 3 * MAXP + p] = (int16_t)lp;
        res[2 + 4 * MAXP + p] = (int16_t)s->trains[p];
    }
    i4 best = -100000;
    for (i4 p = 0; p < n; p++) {
        i4 key = 0;
        if (res[2 + 3 * MAXP + p] == longest) { res[2 + p] = (int16_t)(res[2 + p] + b->longest_bonus); key = 1; }
        key += 2 * res[2 + MAXP + p] + 200 * res[2 + p];
        if (key > best) { best = key; res[1] = 0; }
        if (key == best) res[1] |= (int16_t)(1 << p);
    }
}
static void log_row(B b, S s, int16_t *log, int64_t cap, int64_t row) {
    i4 p = s->cur, nopen = 0;
    for (i4 i = 0; i < s->tk_n[p]; i++) {
        i4 t = s->tk[p][i];
        nopen += s->comp[p][b->t_a[t]] != s->comp[p][b->t_b[t]];
    }
    i4 v[N_LOG] = { s->turn, p, s->l_kind, s->l_route, s->l_col, s->l_loco, s->l_src1, s->l_card1, s->l_src2,
                    s->l_card2, s->l_off, s->l_kept, s->trains[p], s->score[p], s->hand_n[p], s->deck_n, nopen };
    for (int c = 0; c < N_LOG; c++) log[c * cap + row] = (int16_t)v[c];
}
int64_t run_batch(B b, S s, i4 np, const i4 *bots, uint64_t run_seed, uint64_t game0, int64_t n_games, int16_t *log,
                  int64_t cap, int64_t *first_row, int16_t *res) {
    int64_t row = 0;
    for (int64_t g = 0; g < n_games; g++) {
        first_row[g] = row;
        if (cap > 0 && row + MAX_TURNS > cap) return g;
        setup(b, s, np, run_seed, game0 + (uint64_t)g);
        while (s->phase != PH_OVER) {
            i4 a = bots[s->cur] == 1 ? bot_ticketpath(b, s) : bot_random(b, s);
            int code = apply(b, s, a);
            if (code < 0) return -1;
            if (code == 1) {
                if (cap > 0) log_row(b, s, log, cap, row);
                row++;
                next_turn(b, s);
            }
        }
        finish(b, s, res + g * N_RES);
    }
    first_row[n_games] = row;
    return n_games;
}
int64_t state_size(void) { return (int64_t)sizeof(State); }
int64_t board_size(void) { return (int64_t)sizeof(Board); }
